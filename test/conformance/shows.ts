import type { Case } from './case.js'
import type { CaseClient } from './case-client.js'
import type { Answer } from './cluster-under-test.js'

/** The source of the cells. */
export const printers = 'k8s.io/kubernetes pkg/printers/internalversion/printers.go @ v1.36.3'
/** Headers that accept only a table. */
export const tableHeaders = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

/** The definition of a column in a table. */
export interface Definition {
  readonly name: string
  readonly format: string
  readonly priority: number
  readonly description: string
}

/** The parts of a table that the cases check. */
export interface Table {
  readonly columnDefinitions: readonly Definition[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}

/** The answer as a table. */
export const tableIn = ({ body }: Answer) => body as unknown as Table

/** The expected cells of an object, by the names of their columns; other columns are not checked. */
export type Cells = Readonly<Record<string, unknown>>

/** An object with its expected cells. */
export interface Shown {
  /** Default: from the resource. */
  readonly name?: string
  readonly resource: string
  /** Its name is `a` by default. */
  readonly object?: object
  /** The status with which the created object is shown. */
  readonly status?: object
  readonly cells: Cells
}

/**
 * The cells of an object, by dry runs, so that no controller changes it and no cluster-scoped object is left
 * over.
 */
export function shows({ name, resource, object = {}, status, cells }: Shown): Case {
  return {
    name: name ?? `the cells of ${resource}`,
    source: printers,
    async run(client) {
      const body = { metadata: { name: 'a' }, ...object }
      const answer =
        status === undefined
          ? await client.post(`${resource}?dryRun=All`, body, { headers: tableHeaders })
          : await withStatus(client, { resource, body, status })
      client.expect.answer(answer, status === undefined ? 201 : 200, { kind: 'Table' })
      client.expect.has(cellsIn(answer), { Age: /^\d+s$/, ...cells })
    },
  }
}

/** An object to create, and its status. */
export interface Standing {
  readonly resource: string
  readonly body: object
  readonly status: object
}

/** The table of an object with a status. */
export async function withStatus(client: CaseClient, { resource, body, status }: Standing): Promise<Answer> {
  const { metadata } = await client.make(resource, body)
  return client.patch(
    `${resource}/${metadata.name}/status?dryRun=All`,
    'merge',
    { status },
    { headers: tableHeaders },
  )
}

/** The cells of the first row, by the names of their columns. */
export function cellsIn(answer: Answer): Cells {
  const { columnDefinitions: columns, rows } = tableIn(answer)
  const [row] = rows
  return Object.fromEntries(columns.map(({ name }, at) => [name, row?.cells[at]]))
}
