import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import once from 'lodash/once.js'

/** The facts that tell one process from another. */
export interface ProcessFacts {
  /** The id of this process. */
  readonly pid: number
  readonly env: NodeJS.ProcessEnv
  /**
   * Text that is the same for all processes of a PID namespace until the machine starts again; undefined if unknown.
   */
  place(): string | undefined
  /** When a process started, in ticks of the kernel since the machine started; undefined if unknown. */
  startOf(pid: number): string | undefined
  /** Whether a process has this id, including processes of other users. */
  exists(pid: number): boolean
}

/**
 * The suffix of a candidate's identity by which later candidates know that the candidate has ended. `''` if nothing
 * proves that.
 *
 * * `_p<place>.<pid>.<start>`: a process. Every process of the same PID namespace can look for it.
 * * `_c<container>`: the first process of a container, whose end ends all others in it. The kubelet restarts a
 *   container of a Pod only after that. Taken from `POD_UID` and `CONTAINER_NAME`, which `vcluster-plugin manifest`
 *   sets.
 */
export function processIdentity(facts: ProcessFacts = factsOfThisProcess): string {
  return `${processPart(facts)}${containerPart(facts)}`
}

/** Whether the candidate with an identity has certainly ended. */
export function hasEnded(identity: string, facts: ProcessFacts = factsOfThisProcess): boolean {
  const [, place, pid, start] = /_p([0-9a-f]{16})\.(\d+)\.(\d+)(?:_|$)/.exec(identity) ?? []
  if (place !== undefined && place === placePart(facts))
    return hasProcessEnded({ pid: Number(pid), start }, facts)
  const own = containerPart(facts)
  return own !== '' && identity.endsWith(own)
}

function hasProcessEnded(
  { pid, start }: { pid: number; start: string | undefined },
  facts: ProcessFacts,
): boolean {
  if (!facts.exists(pid)) return true
  const runningSince = facts.startOf(pid)
  return runningSince !== undefined && runningSince !== start
}

function processPart(facts: ProcessFacts): string {
  const [place, start] = [placePart(facts), facts.startOf(facts.pid)]
  return place === undefined || start === undefined ? '' : `_p${place}.${facts.pid}.${start}`
}

function placePart(facts: ProcessFacts): string | undefined {
  const place = facts.place()
  return place === undefined ? undefined : digest(place)
}

function containerPart({ pid, env: { POD_UID, CONTAINER_NAME } }: ProcessFacts): string {
  return pid === 1 && POD_UID && CONTAINER_NAME ? `_c${digest(`${POD_UID}/${CONTAINER_NAME}`)}` : ''
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function startInProc(pid: number): string | undefined {
  const stat = readOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The second field is the program's name in brackets, which may contain anything; the start is the 22nd.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** A process starts once, but each look at a Lease asks for it. */
const ownStart = once(() => startInProc(process.pid))

/** The identity that Linux shows in `/proc`; unknown on other systems. */
const factsOfThisProcess: ProcessFacts = {
  pid: process.pid,
  env: process.env,
  // The place is read once, because a process stays in its PID namespace.
  place: once(() => {
    // The `/proc` of another PID namespace shows other processes under the same ids.
    if (readOrUndefined(() => readlinkSync('/proc/self')) !== String(process.pid)) return undefined
    return readOrUndefined(
      () => `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`,
    )
  }),
  startOf: (pid) => (pid === process.pid ? ownStart() : startInProc(pid)),
  exists(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return Object(error).code !== 'ESRCH'
    }
  },
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
