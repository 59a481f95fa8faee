// The definition of a Module: its kind, its program and the schema of its configuration, as resolved when it was
// installed.
import * as z from 'zod'
import { PermanentError } from '../../../engine/kube/error.js'
import { issueText } from '../../../engine/kube/issue-text.js'
import { readYaml } from '../../../engine/kube/read-yaml.js'
import { checkConfig } from '../../config/check-config.js'
import { parseConfigSchema } from '../../config/parse-config-schema.js'
import { isAdopted } from '../../helm/helm-call.js'
import { nameIn } from '../../kinds/fields.js'
import type { Module } from '../../kinds/module.js'

const configMapKey = z.object({
  name: z.string().min(1),
  namespace: z.string().default('default'),
  key: z.string().default('plugin'),
})

const programSource = z.object({
  url: z.string().optional(),
  configMap: configMapKey.optional(),
  digest: z.string().optional(),
  auth: nameIn('default').optional(),
})

/** The parts of a definition that are read. */
const definitionSchema = z.looseObject({
  kind: z.string().min(1),
  metadata: z
    .looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      supportedOperatorVersion: z.string().optional(),
    })
    .default({}),
  config: z.unknown().optional(),
  spec: z.looseObject({}).default({}),
})

/** The definition of a Module, as its author wrote it. */
export type Definition = z.output<typeof definitionSchema>
/** The origin of the program of a Module. */
export type ProgramOrigin = z.output<typeof programSource>

const frozenSchema = definitionSchema.extend({
  /** The program of the kind Custom, with the digest of its first load, or with one that a user accepted later. */
  program: programSource
    .extend({
      accepted: z.string().optional(),
      /** The digest in the definition itself. */
      declared: z.string().optional(),
    })
    .optional(),
  /** The checked configuration of the installation. */
  values: z.record(z.string(), z.unknown()).default({}),
  /** The cluster of the Workspace. */
  cluster: z.string().optional(),
  /** Identifies the parts of the Module that the definition came from. */
  fingerprint: z.string().optional(),
  /** The target of the upgrade to this definition. */
  upgrade: z.string().optional(),
  /** Nothing is installed by this definition: no manager was called with it, or the Module was uninstalled again. */
  pending: z.boolean().optional(),
})

/**
 * The definition that a Module is installed with. It is stored, so that the same program also uninstalls the Module.
 */
export type FrozenDefinition = z.output<typeof frozenSchema>

/** The kind of definitions of Helm releases. */
export const helmKind = 'Helm'
/** The kind of a definition whose manager is a container. */
export const containerKind = 'Container'

/** The annotation with the frozen definition of a Module. */
export const definitionAnnotation = 'forkspacer.com/resource'

/** The annotation with the configuration of a Module that another operator installed. */
const formerConfigAnnotation = 'forkspacer.com/base-module-config'

/** The source of a Module in its status. */
export function sourceOf({ kind, spec }: Pick<Definition, 'kind' | 'spec'>): string {
  if (kind === containerKind) return 'Custom'
  if (kind !== helmKind) return kind
  return isAdopted(spec) ? 'Helm/Adopted' : 'Helm/Managed'
}

/** Reads a definition; `name` is its origin in messages. Throws a `PermanentError` with every mistake. */
export function readModuleDefinition(value: unknown, name: string): Definition {
  return parseWith(definitionSchema, value, name)
}

/** Reads a definition that is a text, in YAML or JSON. */
export async function readDefinitionText(text: string, name: string): Promise<Definition> {
  return readModuleDefinition(await yamlOf(text, name), name)
}

/** The longest definition, in characters: Kubernetes allows no more for all annotations of an object. */
const maxTextLength = 262_144

/** Parses a text as YAML. Throws a `PermanentError` if it is too long or not YAML. */
async function yamlOf(text: string, name: string): Promise<unknown> {
  if (text.length > maxTextLength)
    throw new PermanentError(
      `${name} has ${text.length} characters; the most for a definition is ${maxTextLength}`,
    )
  return readYaml(text).catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new PermanentError(`${name} is not YAML: ${cause.message}`, { cause })
  })
}

/** The frozen definition of a Module; undefined if nothing was installed. */
export async function frozenDefinition({
  annotations,
}: {
  readonly annotations?: Readonly<Record<string, string>> | undefined
}): Promise<FrozenDefinition | undefined> {
  const text = annotations?.[definitionAnnotation]
  if (text === undefined) return undefined
  const name = `the annotation ${definitionAnnotation}`
  const value = await yamlOf(text, name)
  const frozen = parseWith(frozenSchema, value, name)
  return Object.hasOwn(Object(value), 'values')
    ? frozen
    : { ...frozen, values: formerValues(frozen, annotations) }
}

/** The configuration of a Module that another operator installed. It is next to the definition, without defaults. */
function formerValues(
  { config }: Pick<FrozenDefinition, 'config'>,
  annotations: Readonly<Record<string, string>> | undefined,
): Record<string, unknown> {
  const text = annotations?.[formerConfigAnnotation]
  try {
    const values = z.record(z.string(), z.unknown()).parse(JSON.parse(text ?? '{}'))
    const fields = parseConfigSchema(config)
    return fields.length > 0 ? checkConfig(fields, values) : values
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new PermanentError(
      `the annotation ${formerConfigAnnotation} is not the configuration: ${why}; correct it`,
      {
        cause,
      },
    )
  }
}

/** Whether a manager may have made something for a Module, so that it must be uninstalled. */
export async function mayBeInstalled({
  annotations,
}: Pick<Module['metadata'], 'annotations'>): Promise<boolean> {
  if (annotations?.[definitionAnnotation] === undefined) return false
  const frozen = await frozenDefinition({ annotations }).catch(() => undefined)
  return frozen?.pending !== true
}

/** The program of a definition of the kind Custom. Throws a `PermanentError` unless it names exactly one. */
export function originOfProgram({ spec }: Definition): ProgramOrigin {
  const { repo = {}, digest } = spec as { repo?: Record<string, unknown>; digest?: unknown }
  const { file, configMap } = repo
  const origin = { url: file, configMap, digest: repo.digest ?? digest, auth: repo.auth }
  return oneOrigin(parseWith(programSource, origin, 'the program of the definition, spec.repo,'))
}

/** Throws a `PermanentError` unless a program comes from either a URL or a ConfigMap. */
export function oneOrigin(origin: ProgramOrigin): ProgramOrigin {
  if ((origin.url === undefined) !== (origin.configMap === undefined)) return origin
  throw new PermanentError('a program needs either a URL (file or url) or a configMap')
}

/** Checks a value by a schema. Throws a `PermanentError` with every mistake. */
function parseWith<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const problems = error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issueText(issue)}`)
  throw new PermanentError(`${name} is not the definition of a Module: ${problems.join('; ')}`)
}
