// Prints a CPU profile as text: `npm run bench:profile -- FILE`. Functions of a bundle are listed by the
// source file that esbuild names above them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

const profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
type ProfileNode = z.infer<typeof profile>['nodes'][number]

const maxFunctions = 30
/** The profiler's names for time without a function. */
const apart = /^\((garbage collector|program|idle)\)$/

/** The source files of a bundle, line by line. */
class Sources {
  readonly #files = new Map<string, string[]>()

  /** The source file of a line of a bundle; `undefined` for a file that is not a bundle. */
  of({ url, lineNumber }: ProfileNode['callFrame']): string | undefined {
    if (!url.startsWith('file:')) return undefined
    const known = this.#files.get(url) ?? linesBySource(fileURLToPath(url))
    this.#files.set(url, known)
    return known[lineNumber]
  }
}

function linesBySource(file: string): string[] {
  let source = 'the head of the bundle'
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      source = /^ *\/\/ ((?:\.\.\/)*(?:node_modules|sdk|examples)\/\S+)$/.exec(line)?.[1] ?? source
      return source
    })
}

/** `undici`, or `sdk/engine/watch`. */
function ownerOf(source: string): string {
  const parts = source.split('/')
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return room(parts)
  const [, scope = '', name = ''] = parts.slice(at)
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** `sdk/engine/watch`, from the path of a file in it. */
function room(parts: readonly string[]): string {
  const start = parts.findIndex((part) => part !== '..')
  const isNested = parts[start + 1] === 'engine' || parts[start + 1] === 'vcluster'
  return parts.slice(start, start + (isNested ? 3 : 2)).join('/')
}

/** Milliseconds by owner and by function, the most expensive first. */
function timesOf(text: string): { total: number; owners: [string, number][]; functions: [string, number][] } {
  const { nodes, samples, timeDeltas } = profile.parse(JSON.parse(text))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  )
  const sources = new Sources()
  /** Node's own functions count for their callers. */
  const owner = (node: ProfileNode | undefined): string => {
    if (node === undefined) return 'Node itself'
    if (apart.test(node.callFrame.functionName)) return node.callFrame.functionName
    const source = sources.of(node.callFrame)
    return source === undefined ? owner(parents.get(node.id)) : ownerOf(source)
  }
  const [owners, functions] = [new Map<string, number>(), new Map<string, number>()]
  let total = 0
  samples.forEach((id, index) => {
    const node = byId.get(id)
    const ms = (timeDeltas[index] ?? 0) / 1000
    if (!node || node.callFrame.functionName === '(idle)') return
    total += ms
    add(owners, owner(node), ms)
    add(functions, nameOf(node, sources), ms)
  })
  return { total, owners: sorted(owners), functions: sorted(functions).slice(0, maxFunctions) }
}

function nameOf({ callFrame }: ProfileNode, sources: Sources): string {
  const { functionName, url } = callFrame
  const where = sources.of(callFrame) ?? url
  return `${functionName || '(anonymous)'}${where && `  ${where}`}`
}

function add(times: Map<string, number>, name: string, ms: number): void {
  times.set(name, (times.get(name) ?? 0) + ms)
}

const sorted = (times: Map<string, number>) => [...times].sort(([, a], [, b]) => b - a)

const [, , file] = process.argv
if (!file) throw new Error('pass a .cpuprofile: npm run bench:profile -- FILE')
const { total, owners, functions } = timesOf(readFileSync(file, 'utf8'))
const rows = (times: readonly [string, number][]) =>
  times
    .filter(([, ms]) => ms >= total / 500)
    .map(
      ([name, ms]) =>
        `${ms.toFixed(0).padStart(7)} ${((100 * ms) / total).toFixed(1).padStart(5)} %  ${name}`,
    )
console.log(
  [
    `${total.toFixed(0)} ms of the main thread, busy. Node's own functions count for their callers.`,
    '\n     ms  share  room or package\n',
    ...rows(owners),
    '\n     ms  share  function\n',
    ...rows(functions),
  ].join('\n'),
)
