import type { ScalarTag, Tags } from 'yaml'
import { PluginError } from '../kube/error.js'
import { loadYaml } from '../kube/load-yaml.js'
import type { KubeObject } from '../kube/object.js'
import { fileCure, readTextFile, whyUnreadable } from '../kube/read-text-file.js'
import { yamlProblem } from '../kube/yaml-problem.js'

/** Objects to apply: a list of objects, a text of YAML documents, or the URL of a file with YAML documents. */
export type Manifests = readonly KubeObject[] | string | URL

/** An object to apply, with its apiVersion and kind. */
export type Manifest = KubeObject & { apiVersion: string; kind: string }

/** The largest file that is read; any real set of manifests is smaller. */
const maxBytes = 64 * 2 ** 20

/**
 * Returns the objects in their order, with the items of each `List` in its place. Throws `PluginError`
 * `INVALID_MANIFEST`, which names the invalid object and the `source`, for example a file.
 */
export async function readManifests(
  manifests: Manifests,
  source = manifests instanceof URL ? String(manifests) : 'the manifests',
): Promise<Manifest[]> {
  const text = manifests instanceof URL ? await textOf(manifests) : manifests
  const objects: readonly unknown[] = typeof text === 'string' ? await parseDocuments(text, source) : text
  return objects
    .filter((object) => object !== null)
    .flatMap(itemsOf)
    .map((object, index) => checkManifest(object, `object ${index + 1} of ${source}`))
}

async function textOf(file: URL): Promise<string> {
  return readTextFile(file, { maxBytes }).catch((cause: unknown) => {
    throw badManifestError(String(file), `the file cannot be read (${whyUnreadable(cause)}); ${fileCure}`)
  })
}

async function parseDocuments(text: string, source: string): Promise<unknown[]> {
  const { parseAllDocuments } = await loadYaml()
  const documents = [...parseAllDocuments(text, { intAsBigInt: true, customTags: withOldOctals })]
  const [error] = documents.flatMap(({ errors }) => errors)
  if (error) throw badManifestError(source, yamlProblem(error))
  return documents.map((document) => document.toJS({ reviver: (_, value) => plainInteger(value) }))
}

/** Octal numbers of YAML 1.1, which kubectl reads: `defaultMode: 0644` is 420. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
}

const withOldOctals = (tags: Tags): Tags => [octal, ...tags]

/** Converts a `bigint` to a number, unless a double cannot hold it. */
function plainInteger(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function itemsOf(object: unknown): unknown[] {
  const { kind, items } = Object(object)
  return kind === 'List' && Array.isArray(items) ? items : [object]
}

function checkManifest(object: unknown, which: string): Manifest {
  const { apiVersion, kind, metadata } = Object(object)
  const missing = [
    ...(typeof apiVersion === 'string' ? [] : ['apiVersion']),
    ...(typeof kind === 'string' ? [] : ['kind']),
    ...(metadata?.name ? [] : ['metadata.name']),
  ]
  if (missing.length === 0) return object as Manifest
  const cure = missing.length === 1 ? 'add it' : 'add them'
  throw badManifestError(which, `it has no ${missing.join(' and no ')}; ${cure}`)
}

const badManifestError = (which: string, problem: string) =>
  new PluginError('INVALID_MANIFEST', `${which} cannot be used: ${problem}`)
