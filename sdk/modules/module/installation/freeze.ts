import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { PermanentError } from '../../../engine/kube/error.js'
import { checkConfig } from '../../config/check-config.js'
import type { ConfigField } from '../../config/config-field.js'
import { parseConfigSchema } from '../../config/parse-config-schema.js'
import type { Module } from '../../kinds/module.js'
import { renderTemplates } from '../../template/render-templates.js'
import {
  containerKind,
  type Definition,
  definitionAnnotation,
  type FrozenDefinition,
  helmKind,
} from '../definition/definition.js'
import type { ModuleAnnotations } from '../definition/module-annotations.js'
import { type DefinitionReader, resolveDefinition } from '../definition/resolve-definition.js'
import type { Programs } from '../programs/programs.js'

/** The annotation that accepts a program with another digest than that of the installation. */
export const acceptDigestAnnotation = 'forkspacer.com/accept-digest'

/** Options of {@link resolve}. */
export interface FreezeOptions {
  readonly programs: Programs
  readonly reader: DefinitionReader
  /** The cluster of the Workspace. */
  readonly cluster: string
  /** Throws for the spec of a Helm release that cannot be installed. */
  checkHelm(spec: Record<string, unknown>, values: Readonly<Record<string, unknown>>): void
}

/** The digest of a program that a user accepted after the definition was frozen; undefined for none. */
export function acceptedDigest(
  { metadata }: Pick<Module, 'metadata'>,
  { program }: Pick<FrozenDefinition, 'program'>,
): string | undefined {
  const accepted = program && metadata.annotations?.[acceptDigestAnnotation]
  return accepted === program?.accepted ? undefined : accepted
}

/** Writes a frozen definition to the annotation of its Module, unless the annotation already has it. */
export async function freeze(frozen: FrozenDefinition, annotations: ModuleAnnotations): Promise<void> {
  const text = JSON.stringify(frozen)
  if (annotations.get(definitionAnnotation) !== text) await annotations.set(definitionAnnotation, text)
}

/**
 * Resolves and checks the definition of a Module, with the digest of its program, for its installation. Writes nothing.
 */
export async function resolve(
  module: Module,
  { programs, reader, cluster, checkHelm }: FreezeOptions,
): Promise<FrozenDefinition> {
  const { definition: read, origin } = await resolveDefinition(module, reader)
  programs.check(read)
  const values = checkedValues(read, module)
  const definition = renderContainer(read, values, programs)
  if (definition.kind === helmKind) checkHelm(definition.spec, values)
  const program = origin && {
    ...origin,
    digest: (await programs.load(origin, reader)).digest,
    ...(origin.digest !== undefined && { declared: origin.digest }),
  }
  return { ...definition, values, cluster, fingerprint: fingerprintOf(module), ...(program && { program }) }
}

/**
 * Renders the templates in the image and the permissions of a container. Other kinds render their templates when the
 * manager is called.
 */
export function renderContainer(
  definition: Definition,
  config: Readonly<Record<string, unknown>>,
  programs: Pick<Programs, 'checkContainer'>,
): Definition {
  if (definition.kind !== containerKind) return definition
  const random = () => {
    throw new PermanentError('spec.custom: a container cannot have random texts')
  }
  const spec = renderTemplates(definition.spec, { values: { config }, random, path: 'spec.custom' })
  programs.checkContainer(spec)
  return { ...definition, spec: spec as Definition['spec'] }
}

/** The configuration of a Module by the schema of its definition. Throws a `ConfigError` with every mistake. */
export function checkedValues(
  definition: Definition,
  { spec }: Pick<Module, 'spec'>,
): Record<string, unknown> {
  const fields = parseConfigSchema(definition.config)
  return fields.length > 0 ? checkConfig(fields, spec.config) : { ...spec.config }
}

/** The definition with the digest of another program, which a user accepted. */
export async function withAcceptedDigest(
  frozen: FrozenDefinition,
  digest: string | undefined,
  { programs, reader }: Pick<FreezeOptions, 'programs' | 'reader'>,
): Promise<FrozenDefinition> {
  const loaded = await programs.load({ ...frozen.program, digest }, reader)
  return { ...frozen, program: { ...frozen.program, digest: loaded.digest, accepted: digest } }
}

/** Identifies the parts of a Module that must not change after the installation. */
export function fingerprintOf({ spec, config: schema }: Pick<Module, 'spec' | 'config'>): string {
  const { source, helm, custom, config } = spec
  const parts = { source, helm, custom, config, ...(schema && { schema }) }
  return createHash('sha256').update(canonicalJson(parts)).digest('base64')
}

/** The schema of the configuration that a Module was installed with. */
export function fieldsOf({ config }: Pick<FrozenDefinition, 'config'>): ConfigField[] {
  return parseConfigSchema(config)
}
