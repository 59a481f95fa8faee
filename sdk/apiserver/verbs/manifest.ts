import { parseJson } from '../../kube/json.js'
import { badRequest } from '../status.js'
import { mayRepeatMembers } from '../validation/member-paths.js'

/** What a manifest says. */
export interface Manifest {
  readonly value: unknown
  /** A sentence for each key that comes twice in one map; the last one counts. */
  readonly repeated: readonly string[]
}

/** Reads a manifest in YAML, of which JSON is a part. Throws 400. */
export async function parseManifest(text: string): Promise<Manifest> {
  return tryJson(text) ?? (await parseYaml(text))
}

/** The usual case, and the one in which large numbers survive. */
function tryJson(text: string): Manifest | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseJson(text)
    return mayRepeatMembers(text, value) ? undefined : { value, repeated: [] }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function parseYaml(text: string): Promise<Manifest> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const strict = parseDocument(text, { lineCounter: lines })
  const repeated = strict.errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(
      ({ pos: [start] }) => `line ${lines.linePos(start).line}: key ${keyAt(text, start)} already set in map`,
    )
  const document = parseDocument(text, { uniqueKeys: false })
  const [problem] = document.errors
  if (problem === undefined) return { value: document.toJS(), repeated }
  throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${problem.message}`)
}

function keyAt(text: string, start: number): string {
  const key = /^"(?:[^"\\]|\\.)*"|^[^\s:]+/.exec(text.slice(start))?.[0] ?? ''
  return key.startsWith('"') ? key : JSON.stringify(key)
}
