import { parseJson } from '../../sdk/engine/kube/json.js'
import { badRequest } from '../request/status.js'
import { mayRepeatMembers } from '../validation/member-paths.js'

/** A parsed manifest. */
export interface Manifest {
  readonly value: unknown
  /** A message for each duplicate key; the last value counts. */
  readonly repeated: readonly string[]
}

/** Parses a manifest in YAML, which includes JSON. Throws 400. */
export async function parseManifest(text: string): Promise<Manifest> {
  return tryJson(text) ?? (await parseYaml(text))
}

/** The usual case, and the only one that keeps large numbers. */
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
  const { yamlToJson } = await import('../../sdk/engine/kube/go-yaml/yaml-to-json.js')
  try {
    const { json, repeated } = yamlToJson(text)
    return { value: parseJson(json), repeated }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
  }
}
