/**
 * `defineKind` makes a custom kind from zod schemas.
 *
 * It promises that the API server and zod agree: a schema that a CustomResourceDefinition cannot express is refused at
 * once, with all problems. It leaves to `definition/` how a CustomResourceDefinition is written, and to the webhook
 * server when `default` and `validate` are called.
 */
import * as z from 'zod'
import { InvalidKindError, type KindProblem } from '../schema/problem.js'
import { checkKindOptions } from './check-kind-options.js'
import { checkMembers } from './check-members.js'
import { checkNames, type KindNames } from './check-names.js'
import { checkPaths, checkVersionPaths } from './check-paths.js'
import type { ConditionDeclaration } from './condition.js'
import type { Kind, KindOptions, KindVersion, NoFields, VersionSchema } from './kind.js'
import { parseObject } from './parse-object.js'
import { pluralOf } from './plural.js'
import { type RootSchema, rootSchema } from './root-schema.js'

type AnyOptions = KindOptions<string, z.ZodType, z.ZodObject, string>

/**
 * Defines a kind. Throws {@link InvalidKindError} with every problem if the API server could not hold it, and a
 * `TypeError` for an option that does not exist.
 *
 * @example
 * ```ts
 * const backups = defineKind({
 *   group: 'cache.example.com',
 *   version: 'v1',
 *   kind: 'MemcachedBackup',
 *   spec: z.object({ size: z.int().min(0).max(100) }),
 *   status: z.object({ nodes: k.listSet(z.string()).optional() }),
 *   conditions: ['Available'],
 *   columns: [{ name: 'Size', path: '.spec.size', type: 'integer' }],
 * })
 * ```
 */
export function defineKind<
  const Name extends string,
  Spec extends z.ZodType = z.ZodUndefined,
  Status extends z.ZodObject = NoFields,
  const Condition extends string = never,
  Versions extends Readonly<Record<string, z.ZodType>> = Record<never, never>,
  Fields extends z.ZodObject = NoFields,
>(
  options: KindOptions<Name, Spec, Status, Condition, Versions, Fields>,
): Kind<Name, Spec, Status, Condition, Fields> {
  const given = options as unknown as AnyOptions
  checkKindOptions(given)
  const { group, version, kind, plural = pluralOf(kind ?? ''), scope = 'Namespaced' } = options
  const conditions = (options.conditions ?? []).map((one) => toDeclaration<Condition>(one))
  const { schemas, initialStatus, warnings } = checkedSchemas(given, { plural, conditions })
  const schemaOf = { spec: options.spec, fields: options.fields, status: statusOf(given) ?? z.object({}) }
  return {
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
    options: options as unknown as Kind<Name, Spec, Status, Condition, Fields>['options'],
    conditions,
    schemas,
    initialStatus,
    warnings,
    parse: (object) => parseObject(schemaOf, object),
  }
}

function toDeclaration<Type extends string>(
  one: Type | ConditionDeclaration<Type>,
): ConditionDeclaration<Type> {
  return typeof one === 'string' ? { type: one } : one
}

/** `undefined` for a kind whose objects have no status. */
const statusOf = ({ status = z.object({}) }: Pick<AnyOptions, 'status'>) =>
  status === false ? undefined : status

/** The schemas of all versions. Throws {@link InvalidKindError} for problems of the names, too. */
function checkedSchemas(options: AnyOptions, named: Pick<KindNames, 'plural' | 'conditions'>): Schemas {
  const schemas = versionSchemas(options)
  const names = { ...options, ...named, versions: Object.keys(options.versions ?? {}) }
  const problems = [...checkNames(names), ...schemas.problems]
  if (problems.length > 0) throw new InvalidKindError(options.kind ?? 'without a name', problems)
  return schemas
}

interface Schemas {
  readonly schemas: readonly VersionSchema[]
  readonly initialStatus: object
  readonly problems: readonly KindProblem[]
  readonly warnings: readonly KindProblem[]
}

function versionSchemas(options: AnyOptions): Schemas {
  const { version, versions = {} } = options
  const hub = { name: version, served: true, root: rootOf(options, { path: '', ...options }) }
  const others = Object.entries(versions).map(([name, { served = true, deprecated, ...parts }]) => ({
    name,
    served,
    ...(deprecated !== undefined && { deprecated }),
    root: rootOf(options, { path: `versions.${name}.`, ...parts }),
  }))
  return {
    schemas: [hub, ...others].map(({ root, ...rest }) => ({ ...rest, schema: root.schema })),
    initialStatus: hub.root.initialStatus,
    problems: [
      ...[hub, ...others].flatMap(({ root }) => root.problems),
      ...checkPaths(hub.root.schema, options),
      ...others.flatMap(({ name, root }) => checkVersionPaths(root.schema, name, versions[name])),
      ...checkMembers(options),
    ],
    warnings: [hub, ...others].flatMap(({ root }) => root.warnings),
  }
}

function rootOf(
  options: AnyOptions,
  { path, spec, status }: { path: string } & Partial<Pick<KindVersion, 'spec'>> & Pick<AnyOptions, 'status'>,
): RootSchema {
  const { effects, fields, name, description, maxDescription } = options
  // Rules of the whole object are written for the hub; another version may lack the fields that they name.
  const rules = path === '' ? options.rules : undefined
  const parts = { spec, fields, status: statusOf({ status: status ?? options.status ?? z.object({}) }) }
  const isOwnStatus = path !== '' && status !== undefined
  const areStatusesDifferent = Object.values(options.versions ?? {}).some((one) => one.status !== undefined)
  const statuses = { isOwnStatus, areStatusesDifferent }
  return rootSchema({ path, ...parts, ...statuses, effects, name, rules, description, maxDescription })
}
