import type { CustomResourceDefinition, DefinedVersion } from '../../../engine/kube/builtin.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { compareSchemas } from './compare-schemas.js'
import type { DefinitionDifference } from './definition-difference.js'

/** Options of {@link compareDefinitions}. */
export interface ComparisonOptions {
  /**
   * Whether the API server accepts an update of an invalid object that leaves the invalid fields as they are;
   * default true, as on Kubernetes 1.30 and later. Otherwise a narrower check is an error, because an object that it
   * refuses cannot be updated.
   */
  readonly ratcheting?: boolean
}

/**
 * Compares a definition with its former state, and finds what breaks objects that exist. A definition from a cluster
 * also says which versions are stored; removing one of them is an error.
 *
 * @example
 * ```ts
 * const before = crdOf(backups)
 * const after = structuredClone(before)
 * after.spec.scope = 'Cluster'
 * console.log(compareDefinitions(before, after)[0]?.level) // error
 * ```
 */
export function compareDefinitions(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  { ratcheting = true }: ComparisonOptions = {},
): DefinitionDifference[] {
  return [
    ...compareNames(before, after),
    ...before.spec.versions.flatMap((version) => compareVersion(version, { before, after, ratcheting })),
  ]
}

function compareNames(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): DefinitionDifference[] {
  const names = ({ spec }: CustomResourceDefinition) => ({
    group: spec.group,
    scope: spec.scope,
    'names.kind': spec.names.kind,
    'names.plural': spec.names.plural,
  })
  const now: Readonly<Record<string, string>> = names(after)
  return Object.entries(names(before))
    .filter(([name, value]) => now[name] !== value)
    .map(([name, value]) => ({
      level: 'error',
      path: `spec.${name}`,
      message: `changes from ${value} to ${now[name]}, which makes another kind; objects do not move to it`,
    }))
}

/** The input of {@link compareVersion}. */
interface Comparison {
  readonly before: CustomResourceDefinition
  readonly after: CustomResourceDefinition
  readonly ratcheting: boolean
}

function compareVersion(
  version: DefinedVersion,
  { before, after, ratcheting }: Comparison,
): DefinitionDifference[] {
  const now = after.spec.versions.find(({ name }) => name === version.name)
  if (now === undefined) return [removedVersion(version, before)]
  const node = { version: version.name, path: '', isRatcheted: ratcheting }
  const [old, schema] = [schemaOf(version), schemaOf(now)]
  return [
    ...compareServing(version, now),
    ...compareSchemas({ before: old, after: schema }, node).map((one) => ({
      ...one,
      path: one.path.replace(/^\./, '') || 'object',
    })),
  ]
}

const schemaOf = ({ schema }: DefinedVersion) => (schema?.openAPIV3Schema ?? {}) as JsonSchema

function removedVersion(
  { name, storage }: DefinedVersion,
  { status }: CustomResourceDefinition,
): DefinitionDifference {
  const isStored = status?.storedVersions?.includes(name) ?? storage
  const stored = 'objects are stored in it; run vcluster-plugin crd migrate, then remove it'
  return {
    level: isStored ? 'error' : 'warning',
    version: name,
    path: 'spec.versions',
    message: `the version is removed; ${isStored ? stored : 'clients of it fail'}`,
  }
}

/** Finds removals that break clients of a version: of the version, a subresource or a selectable field. */
function compareServing(before: DefinedVersion, now: DefinedVersion): DefinitionDifference[] {
  const differences: DefinitionDifference[] = []
  const add = (level: 'error' | 'warning', path: string, message: string) =>
    differences.push({ level, version: before.name, path, message })
  if (before.served && !now.served)
    add('warning', 'served', 'the version is not served any more; clients of it fail')
  if (before.subresources?.status && !now.subresources?.status) {
    add('error', 'subresources.status', 'is removed, and writes of the status are refused')
  }
  if (before.subresources?.scale && !now.subresources?.scale) {
    add('warning', 'subresources.scale', 'is removed; autoscalers and kubectl scale fail')
  }
  const paths = new Set(now.selectableFields?.map(({ jsonPath }) => jsonPath))
  for (const { jsonPath } of before.selectableFields ?? []) {
    if (!paths.has(jsonPath))
      add('warning', 'selectableFields', `${jsonPath} is removed; field selectors with it fail`)
  }
  return differences
}
