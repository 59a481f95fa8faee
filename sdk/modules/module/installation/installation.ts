// Decides which definition installs a Module. The definition is fixed from the first call of its manager until the
// Module is uninstalled.
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { isAdopted } from '../../helm/helm-call.js'
import { renderReleaseKey } from '../../helm/render-helm-spec.js'
import type { Module } from '../../kinds/module.js'
import { ProgramError } from '../../program/program-error.js'
import { type FrozenDefinition, helmKind } from '../definition/definition.js'
import { acceptedDigest, type FreezeOptions, fingerprintOf, resolve, withAcceptedDigest } from './freeze.js'
import { resolveAgain } from './upgrade.js'

/**
 * The Module changed during an installation that has failed. The objects of its former definition are uninstalled
 * first.
 */
export class ReplacedDefinitionError extends Error {
  override readonly name = 'ReplacedDefinitionError'
}

/** A Module that is not installed. */
export interface UninstalledModule {
  readonly module: Module
  /** The definition of the attempts before; undefined before the first one. */
  readonly known: FrozenDefinition | undefined
  /** Whether the Module or a ConfigMap of it changed after an attempt that failed. */
  readonly isChanged: boolean
}

/**
 * The definition of the next attempt to install a Module. Rejects with a {@link ReplacedDefinitionError} if the Module
 * must be uninstalled before.
 */
export async function definitionToInstall(
  { module, known: recorded, isChanged }: UninstalledModule,
  options: FreezeOptions,
): Promise<FrozenDefinition> {
  if (!recorded) return resolve(module, options)
  const isOtherDefinition =
    recorded.fingerprint !== undefined && recorded.fingerprint !== fingerprintOf(module)
  const accepted = acceptedDigest(module, recorded)
  if (!isOtherDefinition && accepted !== undefined) return withAcceptedDigest(recorded, accepted, options)
  if (!isOtherDefinition && !isChanged && !recorded.pending)
    return { ...recorded, cluster: recorded.cluster ?? options.cluster }
  const wanted = { ...(await resolveAgain(module, recorded, options)), cluster: options.cluster }
  if (wanted.program) await checkUnchanged(wanted.program, recorded, options)
  if (recorded.pending || isSameInstallation(recorded, wanted, module)) return wanted
  throw new ReplacedDefinitionError(
    'the Module changed before it was installed; what its former definition has made is uninstalled first',
  )
}

/**
 * Throws if a program without a declared digest has changed at its origin. An unreachable origin is an error only for
 * a pending definition; otherwise the copy is used.
 */
async function checkUnchanged(
  program: NonNullable<FrozenDefinition['program']>,
  { program: formerProgram, pending }: FrozenDefinition,
  { programs, reader }: FreezeOptions,
): Promise<void> {
  if (program.declared !== undefined || program.digest !== formerProgram?.digest) return
  try {
    await programs.load(program, reader)
  } catch (error) {
    if (pending || (error instanceof ProgramError && error.code === 'DIGEST_MISMATCH')) throw error
  }
}

/** Whether an installation that one definition began can be finished with another without leftovers. */
function isSameInstallation(recorded: FrozenDefinition, wanted: FrozenDefinition, module: Module): boolean {
  const identityOf = (frozen: FrozenDefinition) => {
    const { kind, cluster = wanted.cluster, spec, values, program } = frozen
    if (kind === helmKind) return [kind, cluster, isAdopted(spec), releaseOf(frozen, module)]
    return [kind, cluster, values, program?.digest ?? spec]
  }
  return canonicalJson(identityOf(recorded)) === canonicalJson(identityOf(wanted))
}

/** Identifies the release of a definition. An upgrade deletes obsolete objects if name and namespace stay the same. */
function releaseOf({ spec, values }: FrozenDefinition, { metadata }: Module) {
  const { name = '', namespace = '' } = metadata
  return renderReleaseKey(spec, { name, namespace, values })
}
