import type { Resource } from '../../../sdk/engine/kube/resource.js'

/** The names of a kind in the generated code. */
export interface CodeNames {
  /** The type of its objects: `ConfigMap`. */
  type: string
  /** One of its objects: `configMap`. */
  singular: string
  /** Its resource: `configMaps`. */
  pluralName: string
  /** Files: `config-map`. */
  file: string
  /** The syncer: `configmap`. */
  syncer: string
}

/** Derives the names of a kind in code from its names in the API. */
export function namesOfKind({ kind, plural }: Pick<Resource, 'kind' | 'plural'>): CodeNames {
  const type = joinDashes(kind)
  return {
    type,
    singular: lowerFirst(type),
    pluralName: pluralOf(type, plural),
    file: kebab(type),
    syncer: kind.toLowerCase(),
  }
}

/** `MyKind` from `My-kind`: identifiers have no dashes. */
const joinDashes = (name: string) => name.replaceAll(/-+(.)/g, (_, letter: string) => letter.toUpperCase())

/** `configMaps` from `ConfigMap` and `configmaps`: the kind's capitals with the plural's ending, without its dashes. */
function pluralOf(kind: string, plural: string): string {
  const lower = kind.toLowerCase()
  let sharedLength = 0
  while (sharedLength < lower.length && lower[sharedLength] === plural[sharedLength]) sharedLength++
  const name = lowerFirst(kind).slice(0, sharedLength) + plural.slice(sharedLength)
  return joinDashes(name)
}

/** `configMap` from `ConfigMap`, `csiDriver` from `CSIDriver`. */
function lowerFirst(name: string): string {
  return name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z])/, (start) => start.toLowerCase())
}

/** `config-map` from `ConfigMap`, `csi-driver` from `CSIDriver`. */
function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, before = '', after = '', acronym = '') =>
      acronym ? `${acronym}-` : `${before}-${after}`,
    )
    .toLowerCase()
}

/** A noun with its article: `a ConfigMap`, `an Ingress`. */
export function withArticle(noun: string): string {
  return `${/^[AEIO]/.test(noun) ? 'an' : 'a'} ${noun}`
}
