import type { KubeObject } from '../../../sdk/engine/kube/object.js'

/** The parts of a definition that Artifact Hub shows. */
interface Definition extends KubeObject {
  spec: { names: { kind: string }; versions: DefinedVersion[] }
}

interface DefinedVersion {
  name: string
  storage: boolean
  schema?: { openAPIV3Schema?: { description?: string } }
}

/**
 * The annotation by which Artifact Hub shows the image of a chart. The values of annotations are YAML, and therefore
 * may be JSON. See https://artifacthub.io/docs/topics/annotations/helm/
 */
export function imageAnnotation(name: string, image: string): Record<string, string> {
  return { 'artifacthub.io/images': JSON.stringify([{ name, image }]) }
}

/** The annotations by which Artifact Hub lists a chart among the operators, with its kinds. */
export function operatorAnnotations(definitions: readonly KubeObject[]): Record<string, string> {
  const kinds = (definitions as readonly Definition[]).map(({ metadata, spec }) => {
    const { kind } = spec.names
    const version = spec.versions.find(({ storage }) => storage)
    const description = version?.schema?.openAPIV3Schema?.description ?? `The kind ${kind}`
    return { kind, version: version?.name ?? '', name: metadata.name, displayName: kind, description }
  })
  const crds = kinds.length > 0 ? { 'artifacthub.io/crds': JSON.stringify(kinds) } : {}
  return { 'artifacthub.io/operator': 'true', ...crds }
}
