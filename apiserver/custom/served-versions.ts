import { type OpenObject, recordOf, textAt } from '../base/object.js'
import { type Subresource, scaleSubresource, status } from '../resources/built-in.js'
import type { Converter } from '../resources/converter.js'
import type { KindRules, ReadRules } from '../resources/kind-rules.js'
import type { CustomColumn, ScalePaths, ServedResource } from '../resources/served-resource.js'
import type { Schema } from '../schema/structural-schema.js'
import type { Entry } from '../store/entry.js'
import { customRules } from './custom-rules.js'
import { conditionIs } from './definition/conditions.js'
import { type DefinedVersion, namesOf, versionsOf } from './definition/definition.js'
import { deprecationOf } from './deprecation.js'
import { servedEntries } from './served-entries.js'

const terminating = 'create not allowed while custom resource definition is terminating'

/** The verbs of a custom resource in discovery's order, which differs from that of built-in resources. */
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** The surroundings of a definition's versions. */
export interface Surroundings {
  /** The version in which an object of a revision was stored. */
  readonly storedAs: (revision: number) => string | undefined
  /** The version of the stored object with a key. */
  readonly storedVersion: (key: string) => string | undefined
  /** Aborts the open watches of these versions when they are replaced. */
  readonly retired: AbortSignal
  /** Converts by the webhook of the definition, if it has one. */
  readonly converter?: Converter | undefined
}

/** The versions that a CustomResourceDefinition serves, with the accepted names. */
export function servedVersions(definition: OpenObject, surroundings: Surroundings): ServedResource[] {
  return versionsOf(definition)
    .filter(({ served }) => served)
    .map((version) => serveVersion(definition, version, surroundings))
}

/** The schema of a version. */
export function schemaOf(version: DefinedVersion | undefined): Schema {
  return version?.schema?.openAPIV3Schema ?? {}
}

/**
 * Finds the schema by which an object was stored; that of the present storage version if the old one no
 * longer exists.
 */
function storedSchemas(definition: OpenObject, { storedAs }: Surroundings): (entry: Entry) => Schema {
  const versions = versionsOf(definition)
  const current = versions.find(({ storage }) => storage)
  return ({ revision, version = storedAs(revision) }) =>
    schemaOf(versions.find(({ name }) => name === version) ?? current)
}

function serveVersion(
  definition: OpenObject,
  version: DefinedVersion,
  surroundings: Surroundings,
): ServedResource {
  const group = textAt(definition, 'spec', 'group')
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = namesOf(definition, 'status')
  return {
    group,
    version: version.name,
    kind,
    plural,
    namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
    singular,
    listKind,
    shortNames,
    categories,
    verbs: customVerbs,
    subresources: subresourcesOf(version),
    storage: `${plural}.${group}`,
    rules: rulesOf(definition, version, { group, kind }),
    custom: customOf(definition, version, surroundings),
  }
}

function rulesOf(
  definition: OpenObject,
  version: DefinedVersion,
  { group, kind }: Pick<ServedResource, 'group' | 'kind'>,
): KindRules {
  const deprecation = deprecationOf(definition, version)
  const [schema, scale] = [schemaOf(version), scaleOf(version)]
  const rules = customRules({ group, version: version.name, kind, schema, scale })
  return {
    ...rules,
    ...(deprecation === undefined ? {} : { deprecation }),
    read: { selectableFields: selectableOf(version) },
    create: { ...rules.create, ...(isTerminating(definition) ? { refusal: terminating } : {}) },
  }
}

function customOf(
  definition: OpenObject,
  version: DefinedVersion,
  surroundings: Surroundings,
): NonNullable<ServedResource['custom']> {
  const { converter, retired, storedVersion } = surroundings
  const schema = schemaOf(version)
  const storage = versionsOf(definition).find((each) => each.storage)?.name
  return {
    columns: columnsOf(version),
    schema,
    scale: scaleOf(version),
    isTerminating: isTerminating(definition),
    retired,
    toServedEntry: servedEntries({
      storedBy: storedSchemas(definition, surroundings),
      served: converter === undefined ? schema : undefined,
    }),
    ...(converter === undefined ? {} : { converter }),
    isStorage: version.storage,
    isStale: (key) => storedVersion(key) !== storage,
  }
}

const isTerminating = (definition: OpenObject) => conditionIs(definition, 'Terminating', 'True')

/** The reader of a version's selectable fields. */
function selectableOf({ selectableFields = [] }: DefinedVersion): NonNullable<ReadRules['selectableFields']> {
  const readers = selectableFields.map(({ jsonPath = '' }) => {
    const name = jsonPath.replace(/^\./, '')
    return [name, (object: OpenObject) => textAt(object, ...name.split('.'))] as const
  })
  return Object.fromEntries(readers)
}

function scaleOf(version: DefinedVersion): ScalePaths | undefined {
  const scale = version.subresources?.scale
  if (scale === undefined || scale === null) return undefined
  const labelSelectorPath = textAt(scale, 'labelSelectorPath')
  return {
    specReplicasPath: textAt(scale, 'specReplicasPath'),
    statusReplicasPath: textAt(scale, 'statusReplicasPath'),
    ...(labelSelectorPath === '' ? {} : { labelSelectorPath }),
  }
}

function subresourcesOf(version: DefinedVersion): Subresource[] {
  const requested = recordOf(version.subresources)
  const subresources: Subresource[] = []
  if (requested.status !== undefined) subresources.push(status)
  if (requested.scale !== undefined) subresources.push(scaleSubresource)
  return subresources
}

function columnsOf(version: DefinedVersion): readonly CustomColumn[] {
  return (version.additionalPrinterColumns ?? []) as unknown as readonly CustomColumn[]
}
