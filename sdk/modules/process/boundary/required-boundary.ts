import type { Logger } from '../../../engine/observe/logger.js'
import { ProgramError } from '../../program/program-error.js'
import type { BoundaryKind } from './boundary.js'
import { findBoundary } from './find-boundary.js'

/** Whether programs need a boundary of the kernel: `preferred` also runs them without one. */
export type BoundaryPolicy = 'required' | 'preferred'

const page = 'docs/modules-security.md says how to get one'

/** The boundary for a program. Throws a `ProgramError` if there is none and one is required. */
export async function requiredBoundary(
  policy: BoundaryPolicy,
  { label, logger }: { readonly label: string; readonly logger: Logger },
): Promise<BoundaryKind> {
  const { kind, reason } = await findBoundary()
  if (kind !== 'none') return kind
  if (policy === 'required')
    throw new ProgramError(
      'PROGRAM_NOT_STARTED',
      `${label} is not started: the option programs.boundary requires a boundary of the kernel, and there is none here (${reason}); ${page}`,
    )
  logger.warn(
    { program: label, reason },
    `a program runs by the permissions of Node alone, because the kernel gives no boundary; ${page}`,
  )
  return kind
}

/**
 * Throws unless a program may be loaded: without a boundary of the kernel, only programs that are pinned by a digest
 * run.
 */
export async function checkPinned(digest: string | undefined, name: string): Promise<void> {
  if (digest !== undefined) return
  const { kind, reason } = await findBoundary()
  if (kind !== 'none') return
  throw new ProgramError(
    'MISSING_DIGEST',
    `${name}: a program without a digest runs only behind a boundary of the kernel, and there is none here (${reason}); set digest next to it; ${page}`,
  )
}
