// Writes apiserver/output/columns/definitions.ts: the table columns of a kube-apiserver for the built-in
// kinds. Run it after an update of Kubernetes, then `npm run format:write`:
//   KUBEBUILDER_ASSETS=$(test/control-plane/build) node --import=tsx scripts/generate-columns.ts
import { writeFile } from 'node:fs/promises'
import type { ColumnDefinition } from '../apiserver/output/columns/column.js'
import { builtInGroups } from '../apiserver/resources/index.js'
import { type RealServer, withRealServer } from './real-documents.js'

interface Table {
  readonly columnDefinitions: readonly ColumnDefinition[]
}

const output = new URL('../apiserver/output/columns/definitions.ts', import.meta.url)
const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const head = `// Made by scripts/generate-columns.ts from the tables of kube-apiserver v1.36.3; do not edit.
import type { ColumnDefinition } from './column.js'

`
const doc = `/** The columns of each collection that has its own, and of a Scale (\`scales\`). */
export const columnDefinitions: Readonly<Record<string, readonly ColumnDefinition[]>> = {
`
/** The number of kinds from which a common column becomes a constant. */
const minUses = 3
/** A collection with the subresource Scale. */
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const deployment = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { app: 'a' } }, template } }

async function tablesOf({ read, create }: RealServer): Promise<Map<string, readonly ColumnDefinition[]>> {
  const tables = new Map<string, readonly ColumnDefinition[]>()
  for (const { group, version, resources } of builtInGroups) {
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    for (const { plural, verbs, storage = group === '' ? plural : `${plural}.${group}` } of resources) {
      if (tables.has(storage) || (verbs !== undefined && !verbs.includes('list'))) continue
      const { columnDefinitions } = (await read(`${root}/${plural}`, headers)) as Table
      tables.set(storage, columnDefinitions.map(told))
    }
  }
  await create(deployments, deployment)
  const scale = (await read(`${deployments}/a/scale`, headers)) as Table
  return tables.set('scales', scale.columnDefinitions.map(told))
}

/** The columns without empty values. */
function told({
  name,
  type,
  format = '',
  priority = 0,
  description = '',
}: ColumnDefinition): ColumnDefinition {
  return {
    name,
    type,
    ...(format === '' ? {} : { format }),
    ...(priority === 0 ? {} : { priority }),
    ...(description === '' ? {} : { description }),
  }
}

/** Whether the columns are only name and age. Such kinds have no own columns. */
function isUsual(columns: readonly ColumnDefinition[]): boolean {
  return columns.map(({ name }) => name).join() === 'Name,Created At'
}

function textOf(tables: ReadonlyMap<string, readonly ColumnDefinition[]>): string {
  const own = [...tables].filter(([, columns]) => !isUsual(columns))
  const shared = sharedIn(own.flatMap(([, columns]) => columns))
  const constants = [...shared].map(
    ([text, name]) => `/** Of many kinds. */\nexport const ${name} = ${text}\n\n`,
  )
  const lines = own.map(([storage, columns]) => {
    const texts = columns.map((column) => shared.get(JSON.stringify(column)) ?? JSON.stringify(column))
    return `  ${JSON.stringify(storage)}: [${texts.join(', ')}],\n`
  })
  return `${head}${constants.join('')}${doc}${lines.join('')}}\n`
}

/** The columns that many kinds have, with the names of their constants. */
function sharedIn(columns: readonly ColumnDefinition[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const column of columns) {
    const text = JSON.stringify(column)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const many = columns.filter((column) => (counts.get(JSON.stringify(column)) ?? 0) >= minUses)
  return new Map(many.map((column) => [JSON.stringify(column), column.name.toUpperCase()]))
}

await withRealServer(async (server) => {
  await writeFile(output, textOf(await tablesOf(server)))
})
