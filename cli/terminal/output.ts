/** The formats of `-o`. */
export const formats = ['table', 'json', 'yaml'] as const

/** How a command prints its data. */
export type OutputFormat = (typeof formats)[number]

/** Data in every output format. */
export interface Printable {
  /** The first row is the header. */
  table: readonly (readonly string[])[]
  /** The data for JSON and YAML. In YAML each element of a list is a document. */
  data: unknown
}

/** Writes data to standard output. */
export async function print({ table, data }: Printable, format: OutputFormat): Promise<void> {
  process.stdout.write(await formatted({ table, data }, format))
}

/** The text that {@link print} writes. */
export async function formatted({ table, data }: Printable, format: OutputFormat): Promise<string> {
  if (format === 'table') return columns(table)
  if (format === 'json') return `${JSON.stringify(data, undefined, 2)}\n`
  const { stringify } = await import('yaml')
  const documents = Array.isArray(data) ? data : [data]
  return documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n')
}

/** Columns as in kubectl: as wide as their widest cell, three spaces apart. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}
