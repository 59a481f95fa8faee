// Which definition installs a Module. From the first call of its manager on it is fixed, until what that made was
// uninstalled.
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { isAdopted } from '../../helm/helm-call.js'
import { renderReleaseKey } from '../../helm/render-helm-spec.js'
import type { Module } from '../../kinds/module.js'
import { ProgramError } from '../../program/program-error.js'
import { type FrozenDefinition, helmKind } from '../definition/definition.js'
import { accept, acceptedDigest, type FreezeOptions, fingerprintOf, resolve } from './freeze.js'
import { resolveAgain } from './upgrade.js'

/**
 * The Module changed during an installation that has failed: what was made by its former definition is uninstalled
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
 * The definition of the next attempt to install a Module. Rejects with a {@link ReplacedDefinitionError} if it must be
 * uninstalled before.
 */
export async function definitionToInstall(
  { module, known, isChanged }: UninstalledModule,
  options: FreezeOptions,
): Promise<FrozenDefinition> {
  if (!known) return resolve(module, options)
  const isOther = known.fingerprint !== undefined && known.fingerprint !== fingerprintOf(module)
  const accepted = acceptedDigest(module, known)
  if (!isOther && accepted !== undefined) return accept(known, accepted, options)
  if (!isOther && !isChanged && !known.pending) return { ...known, cluster: known.cluster ?? options.cluster }
  const wanted = { ...(await resolveAgain(module, known, options)), cluster: options.cluster }
  if (wanted.program) await checkUnchanged(wanted.program, known, options)
  if (known.pending || isSameInstallation(known, wanted, module)) return wanted
  throw new ReplacedDefinitionError(
    'the Module changed before it was installed; what its former definition has made is uninstalled first',
  )
}

/**
 * Other content under the name of a program without a digest is not taken. A program that cannot be reached has a copy.
 */
async function checkUnchanged(
  program: NonNullable<FrozenDefinition['program']>,
  { program: before, pending }: FrozenDefinition,
  { programs, reader }: FreezeOptions,
): Promise<void> {
  if (program.declared !== undefined || program.digest !== before?.digest) return
  try {
    await programs.load(program, reader)
  } catch (error) {
    if (pending || (error instanceof ProgramError && error.code === 'DIGEST_MISMATCH')) throw error
  }
}

/** Whether an installation by one definition goes on with another, and leaves nothing behind. */
function isSameInstallation(known: FrozenDefinition, wanted: FrozenDefinition, module: Module): boolean {
  const identityOf = (frozen: FrozenDefinition) => {
    const { kind, cluster = wanted.cluster, spec, values, program } = frozen
    if (kind === helmKind) return [kind, cluster, isAdopted(spec), releaseOf(frozen, module)]
    return [kind, cluster, values, program?.digest ?? spec]
  }
  return canonicalJson(identityOf(known)) === canonicalJson(identityOf(wanted))
}

/** A release deletes what its next revision lacks, as long as its name and its namespace stay. */
function releaseOf({ spec, values }: FrozenDefinition, { metadata }: Module) {
  const { name = '', namespace = '' } = metadata
  return renderReleaseKey(spec, { name, namespace, values })
}
