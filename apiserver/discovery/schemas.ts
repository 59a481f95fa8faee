import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { parseApiVersion } from '../base/api-version.js'
import type { ServedResource } from '../resources/served-resource.js'
import { kindTypes } from '../schema/table.js'
import type { GroupVersion } from '../server/registry.js'
import { builtInSchema, schemaName } from './built-in-schemas.js'
import { customSchema, customSchemaName } from './custom-schemas.js'
import {
  type ApiSchema,
  listMetadata,
  listMetaSchema,
  metaTypes,
  objectMetadata,
  reference,
  referenceWith,
  scalarSchemas,
  typeFields,
} from './well-known-schemas.js'

type Schemas = Record<string, ApiSchema>

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Every schema that the resources of a group version need, including lists and subresources, by name. */
export function schemasOf({ resources }: GroupVersion): Schemas {
  const schemas: Schemas = { ...scalarSchemas, [`${metaTypes}ListMeta`]: listMetaSchema }
  addType(schemas, 'meta/v1.ObjectMeta')
  for (const resource of resources) {
    addKind(schemas, resource)
    if (resource.verbs.includes('list')) {
      schemas[kindSchemaName({ ...resource, kind: resource.listKind })] = listSchema(resource)
    }
    for (const { kind, group = resource.group, version = resource.version } of resource.subresources) {
      if (kind !== undefined) addKind(schemas, { kind, group, version })
    }
  }
  return schemas
}

/** The name of a kind's schema. */
export function kindSchemaName({ group, version, kind }: Kind): string {
  const typeName = typeNameOf({ group, version, kind })
  if (typeName !== undefined) return schemaName(typeName)
  const list = kind.endsWith('List') ? typeNameOf({ group, version, kind: kind.slice(0, -4) }) : undefined
  return list === undefined ? customSchemaName(group, version, kind) : `${schemaName(list)}List`
}

function typeNameOf({ group, version, kind }: Kind): string | undefined {
  return kindTypes[`${apiVersionOf({ group, version })}/${kind}`]
}

function addKind(schemas: Schemas, kind: Kind & Partial<Pick<ServedResource, 'custom' | 'rules'>>): void {
  const typeName = typeNameOf(kind)
  if (typeName !== undefined) addType(schemas, typeName)
  else schemas[kindSchemaName(kind)] = { ...schemaWithoutTable(kind), ...namedKind(kind) }
}

function namedKind({ group, version, kind }: Kind): ApiSchema {
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] }
}

/** The schema of a kind without a type in the table: a custom resource's own, or one that allows everything. */
function schemaWithoutTable({ custom, rules }: Partial<Pick<ServedResource, 'custom' | 'rules'>>): ApiSchema {
  if (custom !== undefined)
    return customSchema(custom.schema, Object.keys(rules?.read?.selectableFields ?? {}))
  return {
    type: 'object',
    properties: { ...typeFields, metadata: objectMetadata },
    'x-kubernetes-preserve-unknown-fields': true,
  }
}

/** The kinds by their types in the table. */
const kindsByType = new Map(Object.entries(kindTypes).map(([kind, typeName]) => [typeName, kind]))

/** Adds a type of the table and all types that it refers to. */
function addType(schemas: Schemas, typeName: string): void {
  const name = schemaName(typeName)
  if (schemas[name] !== undefined) return
  const used: string[] = []
  const schema = builtInSchema(typeName, (each) => used.push(each))
  const kind = kindsByType.get(typeName)
  schemas[name] = kind === undefined ? schema : ofKind(schema, kind)
  for (const each of used) addType(schemas, each)
}

function ofKind(schema: ApiSchema, apiVersionAndKind: string): ApiSchema {
  const slash = apiVersionAndKind.lastIndexOf('/')
  const kind = apiVersionAndKind.slice(slash + 1)
  const properties = { ...schema.properties, ...typeFields }
  return {
    ...schema,
    properties,
    ...namedKind({ ...parseApiVersion(apiVersionAndKind.slice(0, slash)), kind }),
  }
}

function listSchema({ group, version, kind, listKind, plural, custom }: ServedResource): ApiSchema {
  const name = kindSchemaName({ group, version, kind })
  const isCustom = custom !== undefined
  const items = isCustom ? reference(name) : referenceWith(name, { default: {} })
  return {
    ...(isCustom && { description: `${listKind} is a list of ${kind}` }),
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields,
      items: { ...(isCustom && { description: `List of ${plural}.` }), type: 'array', items },
      metadata: isCustom ? listMetadata : { ...listMetadata, default: {} },
    },
    ...namedKind({ group, version, kind: listKind }),
  }
}
