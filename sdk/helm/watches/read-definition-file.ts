import { resolve } from 'node:path'
import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { fileCure, readTextFile, whyUnreadable } from '../../engine/kube/read-text-file.js'
import { ChartProblem } from '../chart/chart-problem.js'
import type { JsonObject } from '../chart/json-object.js'
import { readYamlMap } from '../chart/read-yaml-map.js'
import type { EntryReader } from './entry-reader.js'
import { readText, ValueProblem } from './read-value.js'
import type { WatchedKind } from './watch-entry.js'

const key = 'definition'
const maxBytes = 4 * 2 ** 20

/**
 * Reads the definition of the kind of an entry from the file that its key `definition` names; undefined without the
 * key.
 */
export async function readDefinitionFile(
  reader: EntryReader,
  { folder, resource }: { folder: string; resource: WatchedKind },
): Promise<CustomResourceDefinition | undefined> {
  const path = reader.optional(key, readText)
  if (path === undefined) return undefined
  try {
    const definition = await readFile(resolve(folder, path), path)
    checkDefines(definition, path, resource)
    return definition as unknown as CustomResourceDefinition
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    reader.add([key], error.message)
    return undefined
  }
}

async function readFile(file: string, name: string): Promise<JsonObject> {
  const content = await readTextFile(file, { maxBytes }).catch((error: unknown) => {
    throw new ValueProblem(`${name} cannot be read: ${whyUnreadable(error)}; ${fileCure}`)
  })
  return readYamlMap({ name, data: Buffer.from(content) }).catch((error: unknown) => {
    if (!(error instanceof ChartProblem)) throw error
    throw new ValueProblem(`${name} is not the YAML of one object: ${error.message}`)
  })
}

/** Throws {@link ValueProblem} for another object, and for the definition of another kind. */
function checkDefines(object: JsonObject, path: string, { group, version, kind }: WatchedKind): void {
  const { spec } = object
  if (object.kind !== 'CustomResourceDefinition' || !isJsonObject(spec) || !isJsonObject(spec.names))
    throw new ValueProblem(`${path} is not a CustomResourceDefinition`)
  const { names, versions } = spec
  if (spec.group !== group || names.kind !== kind)
    throw new ValueProblem(
      `${path} defines ${String(names.kind)} of the group "${String(spec.group)}", and the entry is about ${kind} of the group "${group}"; correct one of them`,
    )
  const defined = (Array.isArray(versions) ? versions.filter(isJsonObject) : []).map(({ name }) => name)
  if (!defined.includes(version))
    throw new ValueProblem(`${path} does not define the version ${version}; it defines ${defined.join(', ')}`)
}
