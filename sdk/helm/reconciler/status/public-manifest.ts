import { isJsonObject } from '../../../engine/kube/json-object.js'
import type { JsonObject } from '../../chart/json-object.js'
import { yamlOf } from '../../render/code/yaml-of.js'
import { documentsOf, type ManifestDocument, objectsIn } from '../../render/manifest.js'

/** The limit of a manifest in a status, in bytes: an API server accepts objects of up to 1.5 MiB in total. */
const maxBytes = 2 ** 18

/** A manifest for readers who may not read Secrets: each value of a Secret is empty. */
export async function publicManifest(manifest: string): Promise<string> {
  const documents = await Promise.all(documentsOf(manifest).map(publicDocument))
  const text = documents.join('')
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return text
  return `# ${bytes} bytes are too large for the status: see helm get manifest\n`
}

async function publicDocument(document: ManifestDocument): Promise<string> {
  const objects = (await objectsIn(document)).map(({ object }) => object)
  if (!objects.some(isSecretObject)) return `---\n${document.text}\n`
  // Comments of a template can quote a value, too, so the document is printed again.
  const texts = objects.map(async (object) => {
    const shown = isSecretObject(object) ? blankSecret(object) : object
    return `---\n# Source: ${document.source}\n${await yamlOf(shown)}\n`
  })
  return (await Promise.all(texts)).join('')
}

const isSecretObject = ({ apiVersion, kind }: { apiVersion?: string; kind?: string }) =>
  kind === 'Secret' && apiVersion === 'v1'

function blankSecret(secret: object): object {
  const { data, stringData, metadata, ...rest } = secret as JsonObject
  return {
    ...rest,
    metadata,
    ...(isJsonObject(data) && { data: emptyValues(data) }),
    ...(isJsonObject(stringData) && { stringData: emptyValues(stringData) }),
  }
}

const emptyValues = (data: JsonObject) => Object.fromEntries(Object.keys(data).map((name) => [name, '']))
