import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  readonly right?: boolean
  readonly cell: (row: Row, index: number) => ComponentChildren
}

/** Rows with their names on top; on a narrow page it scrolls by itself. */
export function Table<Row>({
  label,
  columns,
  rows,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}) {
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
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map(({ title, right, cell }) => (
                <td key={title} class={right ? 'right' : undefined}>
                  {cell(row, i)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
