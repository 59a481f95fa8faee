import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { CopyContest } from '../contest/copy-contest.js'
import type { PlainPair } from '../syncer.js'
import type { Decision } from './decide.js'
import { formatPath } from './report-conflicts.js'

/** Fields that are left as they are on both sides for now, because programs of both clusters contest them. */
export interface HeldFields<T extends KubeObject> {
  /** Both objects before the sync. */
  readonly before: PlainPair<T>
  readonly paths: readonly (readonly string[])[]
}

/** The input of {@link holdContested}. */
interface ContestedSync<T extends KubeObject> {
  readonly pair: PlainPair<T>
  readonly contest: CopyContest
  readonly decisions: readonly Decision[]
  /** Returns the remembered fields of the copy. */
  readonly content: () => unknown
}

/** Returns the decisions without a winner for contested fields, and these fields. `syncBoth` carries them out. */
export function holdContested<T extends KubeObject>(
  ctx: SyncContext,
  { pair, contest, decisions, content }: ContestedSync<T>,
): { decisions: readonly Decision[]; held: HeldFields<T> } {
  const moves = decisions.flatMap(({ path, winner, now }) =>
    winner ? [{ path: formatPath(path), from: winner, value: now[winner] }] : [],
  )
  const paused = contest.pausedMoves(ctx, { ...pair, moves, content })
  const isHeld = ({ path, winner }: Decision) => winner !== undefined && paused.has(formatPath(path))
  return {
    decisions: decisions.map((one) => (isHeld(one) ? { ...one, winner: undefined } : one)),
    held: { before: pair, paths: decisions.filter(isHeld).map(({ path }) => path) },
  }
}
