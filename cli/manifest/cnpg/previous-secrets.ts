import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Secret } from '../../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { yamlProblem } from '../../../sdk/engine/kube/yaml-problem.js'
import { secretNames } from './certificates.js'
import { authoritiesOf, type SelfSignedSecrets } from './self-signed.js'

/**
 * Reads both Secrets of a plugin from a file, or with `-` from standard input, as `kubectl get -o yaml` prints them.
 * Throws a `PluginError` `INVALID_MANIFEST` if one is missing, or was made by another program.
 */
export async function readPreviousSecrets(
  file: string,
  service: string,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<SelfSignedSecrets> {
  const objects = await objectsIn(await read(file, input), file)
  const names = secretNames(service)
  const find = (name: string) => {
    const secret = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata?.name === name)
    if (!secret)
      throw invalidError(file, `it has no Secret ${name}; pass what kubectl get secrets -o yaml prints`)
    if (authoritiesOf(secret).length > 0) return secret
    throw invalidError(file, `Secret ${name} has no certificate in ca.crt, so --self-signed did not make it`)
  }
  return { server: find(names.server), client: find(names.client) }
}

async function read(file: string, input: NodeJS.ReadableStream): Promise<string> {
  if (file === '-') return text(input)
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw invalidError(file, `cannot read the file (${cause.code})`, cause)
  })
}

/** The objects of all documents, and those of lists. */
async function objectsIn(yaml: string, file: string): Promise<readonly Secret[]> {
  const { parseAllDocuments } = await import('yaml')
  return [...parseAllDocuments(yaml)].flatMap((document) => {
    const [error] = document.errors
    if (error) throw invalidError(file, yamlProblem(error))
    const object = Object(document.toJS())
    return Array.isArray(object.items) ? object.items : [object]
  })
}

const invalidError = (file: string, problem: string, cause?: unknown) =>
  new PluginError('INVALID_MANIFEST', `cannot renew the certificates in ${file}: ${problem}`, { cause })
