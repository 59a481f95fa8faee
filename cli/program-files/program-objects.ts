import { gzipSync } from 'node:zlib'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { InspectedProgram } from './inspect-program.js'

/** The maximum size of all values of a ConfigMap, in bytes: 1 MiB less a margin for the other fields. */
const maxContentBytes = 1024 * 1024 - 8 * 1024
/** The maximum size of a program that is stored as text, in bytes; a larger program is stored as gzip. */
const maxTextLength = 128 * 1024
const key = 'plugin'

/** The name of the objects of a program, such as `my-program-1-4-0`. Each version has a ConfigMap of its own. */
export function objectName({ name = 'program', version = '' }: InspectedProgram['description']): string {
  const text = `${name}-${version}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return text.slice(0, 63).replaceAll(/^-+|-+$/g, '') || 'program'
}

/** The ConfigMap that a Module loads a program from; undefined if the program is too large for a ConfigMap. */
export function programConfigMap(
  { content, description }: InspectedProgram,
  namespace: string,
): object | undefined {
  const packed = content.length <= maxTextLength ? content : gzipSync(content, { level: 9 })
  if (packed.length > maxContentBytes) return undefined
  const value =
    packed === content
      ? { data: { [key]: content.toString('utf8') } }
      : { binaryData: { [key]: packed.toString('base64') } }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: objectName(description), namespace },
    immutable: true,
    ...value,
  }
}

/** A Module to start from, next to its Workspace. Its program is in a ConfigMap of a namespace, or on a server. */
export function sampleModule(
  { digest, description }: InspectedProgram,
  workspace: { readonly namespace: string; readonly name: string },
  programNamespace: string | undefined,
): KubeObject & { readonly spec: object } {
  const name = objectName(description)
  const { namespace } = workspace
  const origin = programNamespace
    ? { configMap: { name, namespace: programNamespace, key } }
    : { url: `https://programs.example/${name}.mjs` }
  return {
    apiVersion: 'batch.forkspacer.com/v1',
    kind: 'Module',
    metadata: { name: objectName({ name: description.name }), namespace },
    spec: {
      workspace: { name: workspace.name, namespace },
      config: {},
      custom: { program: { ...origin, digest } },
    },
  }
}
