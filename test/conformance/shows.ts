import type { Case } from './case.js'
import type { Answer } from './cluster-under-test.js'
import type { Scene } from './scene.js'

/** Where cells are written. */
export const printers = 'k8s.io/kubernetes pkg/printers/internalversion/printers.go @ v1.36.3'
/** Who asks for a table alone. */
export const tableHeaders = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

/** What a table says of a column. */
export interface Definition {
  readonly name: string
  readonly format: string
  readonly priority: number
  readonly description: string
}

/** What the cases look at of a table. */
export interface Table {
  readonly columnDefinitions: readonly Definition[]
  readonly rows: readonly { readonly cells: readonly unknown[] }[]
}

/** The answer as a table. */
export const tableIn = ({ body }: Answer) => body as unknown as Table

/** What stands in the columns of an object, by their names; of columns that are not named nothing is expected. */
export type Cells = Readonly<Record<string, unknown>>

/** Something that a table shows. */
export interface Shown {
  /** Default: of the resource. */
  readonly name?: string
  readonly resource: string
  /** Called `a` unless it says otherwise. */
  readonly object?: object
  /** The object is made, and then shown as it would be with this status. */
  readonly status?: object
  readonly cells: Cells
}

/**
 * The cells of an object, as it would be: no controller comes between, and nothing is left behind of what has no
 * namespace.
 */
export function shows({ name, resource, object = {}, status, cells }: Shown): Case {
  return {
    name: name ?? `the cells of ${resource}`,
    source: printers,
    async run(scene) {
      const body = { metadata: { name: 'a' }, ...object }
      const answer =
        status === undefined
          ? await scene.post(`${resource}?dryRun=All`, body, { headers: tableHeaders })
          : await withStatus(scene, { resource, body, status })
      scene.expect.answer(answer, status === undefined ? 201 : 200, { kind: 'Table' })
      scene.expect.has(cellsIn(answer), { Age: /^\d+s$/, ...cells })
    },
  }
}

/** An object that is made, and the status it would have. */
export interface Standing {
  readonly resource: string
  readonly body: object
  readonly status: object
}

/** A table of an object as it would be with a status. */
export async function withStatus(scene: Scene, { resource, body, status }: Standing): Promise<Answer> {
  const { metadata } = await scene.make(resource, body)
  return scene.patch(
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
