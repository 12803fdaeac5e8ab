/**
 * SQL for the sum of figures that logs told; null if there are none. As integers they could pass 64 bits, which is an
 * error, or what JavaScript can count to: a sum that large is told as the largest there is.
 */
export function boundedSum(column: string): string {
  return `min(sum(1.0 * ${column}), ${Number.MAX_SAFE_INTEGER})`
}
