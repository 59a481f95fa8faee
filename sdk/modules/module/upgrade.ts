// A change of an installed Module: which definition it wants, and what identifies that.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../kube/canonical-json.js'
import { PermanentError } from '../../kube/error.js'
import type { Module } from '../kinds/module.js'
import { type FrozenDefinition, helmKind, type ProgramOrigin } from './definition.js'
import { accept, acceptDigestAnnotation, checkedValues, type FreezeOptions, fingerprintOf } from './freeze.js'
import type { Programs } from './programs.js'
import { type DefinitionReader, resolveDefinition } from './resolve-definition.js'

/** The difference between a Module and what was installed. */
export interface ModuleChange {
  /** Whether source, helm, custom or config changed. */
  readonly isSpec: boolean
  /** The digest of the program that somebody accepted since. */
  readonly accepted: string | undefined
}

/** How a Module differs from what was installed; undefined if it does not. */
export function changeOf(module: Module, frozen: FrozenDefinition | undefined): ModuleChange | undefined {
  if (frozen?.fingerprint === undefined) return undefined
  const isSpec = frozen.fingerprint !== fingerprintOf(module)
  const digest = frozen.program && module.metadata.annotations?.[acceptDigestAnnotation]
  const accepted = digest === frozen.program?.accepted ? undefined : digest
  return isSpec || accepted !== undefined ? { isSpec, accepted } : undefined
}

/**
 * Identifies an upgrade: the state that a Module wants, and the upgrade before. One to another state is another operation, and one that
 * was written down has ended.
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
  if (!change?.isSpec) return change ? accept(frozen, change.accepted, options) : frozen
  const { programs, reader } = options
  const { definition, origin } = await resolveDefinition(module, reader)
  if (definition.kind !== frozen.kind)
    throw new PermanentError(
      `the kind ${frozen.kind} of an installed Module cannot change to ${definition.kind}; set source back, or create another Module`,
    )
  programs.check(definition)
  const program = origin && (await wantedProgram(origin, { frozen, change, ...options }))
  const { cluster } = frozen
  const values = checkedValues(definition, module)
  if (definition.kind === helmKind) options.checkHelm(definition.spec, values)
  return {
    ...definition,
    ...{ values, cluster, fingerprint: fingerprintOf(module) },
    ...(program && { program }),
  }
}

interface WantedProgramOptions {
  readonly frozen: FrozenDefinition
  readonly change: ModuleChange
  readonly programs: Programs
  readonly reader: DefinitionReader
}

/** The program of a Module whose spec changed. Other content under the same name needs a digest, as before. */
async function wantedProgram(
  origin: ProgramOrigin,
  { frozen, change: { accepted }, programs, reader }: WantedProgramOptions,
): Promise<FrozenDefinition['program']> {
  const known = frozen.program
  const declared = origin.digest
  if (known && accepted === undefined && isSameOrigin(origin, known))
    return { ...known, ...(declared !== undefined && { declared }) }
  const { digest } = await programs.load({ ...origin, digest: accepted ?? declared }, reader)
  return {
    ...{ ...origin, digest },
    ...(declared !== undefined && { declared }),
    ...(accepted !== undefined && { accepted }),
  }
}

/** Without a digest in the spec, the program is the one that was installed. */
function isSameOrigin(origin: ProgramOrigin, known: NonNullable<FrozenDefinition['program']>): boolean {
  const placeOf = ({ url, configMap }: ProgramOrigin) => canonicalJson({ url, configMap })
  if (placeOf(origin) !== placeOf(known)) return false
  return origin.digest === known.declared || origin.digest === known.digest
}
