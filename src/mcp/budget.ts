export const DEFAULT_BUDGET = 2000
/** Less holds no answer. */
export const LEAST_BUDGET = 200
