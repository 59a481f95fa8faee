import type { CustomResourceDefinition } from '../kube/builtin.js'
import { PluginError } from '../kube/error.js'
import { loadYaml } from '../kube/load-yaml.js'
import { fileCure, readTextFile, whyUnreadable } from '../kube/read-text-file.js'
import { yamlProblem } from '../kube/yaml-problem.js'

const definitionType = 'apiextensions.k8s.io/v1 CustomResourceDefinition'

/** The largest file that is read; an API server accepts no larger object. */
const maxBytes = 3 * 2 ** 20

/**
 * Reads a definition from a YAML or JSON file of one document; returns a definition object unchanged. Throws
 * `PluginError` `INVALID_CRD`.
 */
export async function readDefinition(
  source: string | URL | CustomResourceDefinition,
): Promise<CustomResourceDefinition> {
  const isFile = typeof source === 'string' || source instanceof URL
  const given: unknown = isFile ? await parseFile(source) : source
  if (isDefinition(given)) return given
  throw badDefinitionError(isFile ? String(source) : 'the definition', problemOf(given))
}

/** Why an object is not a definition, and what to pass. */
function problemOf(given: unknown): string {
  const { apiVersion, kind } = Object(given)
  const type = [apiVersion, kind].filter((part) => typeof part === 'string').join(' ')
  if (type !== '' && !definitionType.endsWith(type))
    return `its kind is ${type}, not ${definitionType}; pass the file of a definition`
  return `it is not an ${definitionType} with metadata.name, spec.group, spec.names.plural and spec.versions; correct it, or pass the file of a definition`
}

async function parseFile(file: string | URL): Promise<unknown> {
  const { parseDocument } = await loadYaml()
  const document = parseDocument(await textOf(file))
  const [error] = document.errors
  if (error) throw badDefinitionError(String(file), `${yamlProblem(error)}; correct it`)
  return document.toJS()
}

async function textOf(file: string | URL): Promise<string> {
  try {
    return await readTextFile(file, { maxBytes })
  } catch (error) {
    throw badDefinitionError(String(file), `it cannot be read (${whyUnreadable(error)}); ${fileCure}`)
  }
}

function isDefinition(value: unknown): value is CustomResourceDefinition {
  const {
    kind = 'CustomResourceDefinition',
    apiVersion = 'apiextensions.k8s.io/v1',
    metadata,
    spec,
  } = Object(value)
  const isKind = kind === 'CustomResourceDefinition' && apiVersion === 'apiextensions.k8s.io/v1'
  return isKind && Boolean(metadata?.name && spec?.group && spec.names?.plural && spec.versions?.length)
}

function badDefinitionError(what: string, problem: string): PluginError {
  return new PluginError('INVALID_CRD', `${what} cannot be used as a definition: ${problem}`)
}
