// A change of an installed Module: the definition that it asks for, and the identity of the upgrade.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { Module } from '../../kinds/module.js'
import { type FrozenDefinition, helmKind, type ProgramOrigin } from '../definition/definition.js'
import { type DefinitionReader, resolveDefinition } from '../definition/resolve-definition.js'
import type { Programs } from '../programs/programs.js'
import {
  acceptDigestAnnotation,
  acceptedDigest,
  checkedValues,
  type FreezeOptions,
  fingerprintOf,
  renderContainer,
  withAcceptedDigest,
} from './freeze.js'

/** The difference between a Module and what was installed. */
export interface ModuleChange {
  /** Whether source, helm, custom or config changed. */
  readonly isSpecChanged: boolean
  /** The digest of another program that a user accepted since. */
  readonly accepted: string | undefined
}

/** The change of a Module since its installation; undefined if there is none. */
export function changeOf(module: Module, frozen: FrozenDefinition | undefined): ModuleChange | undefined {
  if (frozen?.fingerprint === undefined) return undefined
  const isSpecChanged = frozen.fingerprint !== fingerprintOf(module)
  const accepted = acceptedDigest(module, frozen)
  return isSpecChanged || accepted !== undefined ? { isSpecChanged, accepted } : undefined
}

/**
 * Identifies an upgrade by the wanted state of the Module and by the upgrade before. An upgrade to another state is
 * another operation. An upgrade that is recorded in the frozen definition has ended.
 */
export function upgradeTarget(module: Module, frozen: FrozenDefinition | undefined): string {
  const accepted = module.metadata.annotations?.[acceptDigestAnnotation]
  const wanted = { fingerprint: fingerprintOf(module), accepted, former: frozen?.upgrade }
  return createHash('sha256').update(canonicalJson(wanted)).digest('base64')
}

/** The definition that a Module wants after its installation. Nothing is written. */
export async function wantedDefinition(
  module: Module,
  frozen: FrozenDefinition,
  options: Pick<FreezeOptions, 'programs' | 'reader' | 'checkHelm'>,
): Promise<FrozenDefinition> {
  const change = changeOf(module, frozen)
  if (!change?.isSpecChanged) return change ? withAcceptedDigest(frozen, change.accepted, options) : frozen
  return resolveAgain(module, frozen, { ...options, checkKind: (kind) => checkKind(frozen, kind) })
}

/** Throws a `PermanentError` if an upgrade would change the kind of the definition. */
function checkKind(frozen: FrozenDefinition, kind: string): void {
  if (kind === frozen.kind) return
  throw new PermanentError(
    `the kind ${frozen.kind} of an installed Module cannot change to ${kind}; set source back, or create another Module`,
  )
}

/** Options of {@link resolveAgain}. */
export interface ResolveAgainOptions extends Pick<FreezeOptions, 'programs' | 'reader' | 'checkHelm'> {
  /** Throws for a kind that the definition must not have. Default: every kind is allowed. */
  checkKind?(kind: string): void
}

/**
 * The definition of a Module as it is now. Its program keeps the frozen digest, unless the Module names another
 * program.
 */
export async function resolveAgain(
  module: Module,
  frozen: FrozenDefinition,
  options: ResolveAgainOptions,
): Promise<FrozenDefinition> {
  const { programs, reader } = options
  const { definition: read, origin } = await resolveDefinition(module, reader)
  options.checkKind?.(read.kind)
  programs.check(read)
  const accepted = acceptedDigest(module, frozen)
  const program = origin && (await wantedProgram(origin, { frozen, accepted, programs, reader }))
  const { cluster } = frozen
  const values = checkedValues(read, module)
  const definition = renderContainer(read, values, programs)
  if (definition.kind === helmKind) options.checkHelm(definition.spec, values)
  return {
    ...definition,
    values,
    cluster,
    fingerprint: fingerprintOf(module),
    ...(program && { program }),
  }
}

/** The input of {@link wantedProgram}. */
interface WantedProgramOptions {
  readonly frozen: FrozenDefinition
  /** The digest that somebody accepted since. */
  readonly accepted: string | undefined
  readonly programs: Programs
  readonly reader: DefinitionReader
}

/**
 * The program of a Module whose spec changed. The installed program is kept if the spec still names it; changed content
 * from the same origin needs a digest.
 */
async function wantedProgram(
  origin: ProgramOrigin,
  { frozen, accepted, programs, reader }: WantedProgramOptions,
): Promise<FrozenDefinition['program']> {
  const installed = frozen.program
  const declared = origin.digest
  if (installed && accepted === undefined && isSameOrigin(origin, installed))
    return { ...installed, ...(declared !== undefined && { declared }) }
  const { digest } = await programs.load({ ...origin, digest: accepted ?? declared }, reader)
  return {
    ...origin,
    digest,
    ...(declared !== undefined && { declared }),
    ...(accepted !== undefined && { accepted }),
  }
}

/** Whether a spec names the installed program: the same origin, with the digest of the former spec or the program. */
function isSameOrigin(origin: ProgramOrigin, installed: NonNullable<FrozenDefinition['program']>): boolean {
  const placeOf = ({ url, configMap }: ProgramOrigin) => canonicalJson({ url, configMap })
  if (placeOf(origin) !== placeOf(installed)) return false
  return origin.digest === installed.declared || origin.digest === installed.digest
}
