import type { ComponentChildren } from 'preact'
import type { Asked } from './asked.ts'
import { rowsIn } from './listing.ts'

export interface Column<Row, D> {
  readonly title: string
  readonly right?: boolean
  /** `i` is its place in the document. */
  readonly cell: (row: Row, i: number, asked: Asked<D>) => ComponentChildren
}

interface TableProps<Row, D> {
  readonly label: string
  readonly columns: readonly Column<Row, D>[]
  readonly of: readonly Asked<D>[]
  readonly rows: (doc: D) => readonly Row[]
}

/** Rows with their names on top; on a phone each stands by itself, and what is in it under its name. */
export function Table<Row, D>({ label, columns, of, rows }: TableProps<Row, D>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div class="table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, right }) => (
              <th key={title} scope="col" class={right ? 'right' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsIn(of, rows).map(({ row, i, asked }, n) => (
            <tr key={n}>
              {columns.map(({ title, right, cell }) => (
                <td key={title} data-title={title} class={right ? 'right' : undefined}>
                  {cell(row, i, asked)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
