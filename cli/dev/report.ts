import once from 'lodash/once.js'
import { formatKey } from '../../sdk/engine/kube/key.js'
import { progressText } from '../../sdk/engine/manager/progress-text.js'
import type { ProgressView } from '../../sdk/engine/manager/progress-view.js'
import { FoldedLog } from '../../sdk/engine/observe/folded-log.js'
import { type Clock, systemClock } from '../../sdk/engine/time/clock.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { ClusterFacts, DevFacts } from '../clusters/cluster-facts.js'
import type { CopyChange } from '../copies/copy-log.js'
import type { Failure } from '../program/failure.js'
import type { FoundPlugin } from '../program/find-plugin.js'
import type { HeartbeatListener } from '../program/heartbeat.js'
import type { PluginLine } from '../program/plugin-log.js'
import type { Sample } from '../samples/samples.js'
import { formatMs, type Screen, type Style } from '../terminal/screen.js'
import { type HintsAbout, hintCommands } from './hints.js'
import { LastErrors } from './last-errors.js'
import { isForbiddenLine, permissionAdvice } from './permission-advice.js'
import { barOf } from './progress-bar.js'

const styles: Record<CopyChange['verb'], Style> = {
  created: 'green',
  updated: 'yellow',
  deleted: 'red',
  edited: 'dim',
  repaired: 'green',
}
const places = { host: 'on the host', virtual: 'in the virtual cluster' } as const

/** One line about an object, and its details. */
export interface ObjectReport {
  style: Style
  text: string
  details?: readonly string[]
}

/** The output of `dev`. */
export class DevReport {
  /** The last error of each object, from the program's log. */
  readonly lastErrors = new LastErrors()
  readonly #screen: Screen
  readonly #verbose: boolean
  readonly #log: FoldedLog
  readonly #clock: Pick<Clock, 'now'>
  /** The first word of a line about the program. */
  #program: 'program' | 'plugin' | 'operator' = 'program'
  /** The start time of the process; undefined once every controller is at work. */
  #startedMs: number | undefined
  #hasAdvisedPermissions = false

  constructor(
    screen: Screen,
    { verbose, clock = systemClock }: { verbose: boolean; clock?: Pick<Clock, 'now'> },
  ) {
    this.#screen = screen
    this.#clock = clock
    this.#verbose = verbose
    this.#log = new FoldedLog({ showsRepeats: verbose })
  }

  /** Sets the word for the program in messages, once its type is known; default `program`. */
  setProgram(program: 'plugin' | 'operator'): void {
    this.#program = program
  }

  /** Shows the clusters, before anything is written to them. */
  clusters({ virtual, host, targetNamespace, faults }: DevFacts): void {
    this.#note('virtual', `${virtual.url}  ${virtual.source}`)
    this.#note('host', `${host.url}  ${host.source}  copies in ${targetNamespace}`)
    if (faults) this.#note('faults', `only for the program: ${faults}`)
  }

  /** Shows a cluster of an operator. */
  cluster({ url, source }: ClusterFacts, faults: string): void {
    this.#note('cluster', `${url}  ${source}`)
    if (faults) this.#note('faults', `only for the operator: ${faults}`)
  }

  /** `Deployment default/daily  created`; the state of its conditions, if it has any. */
  objectChanged(name: string, verb: 'created' | 'updated' | 'deleted', state: string): void {
    this.#screen.line(`${name}  ${this.#screen.styled(styles[verb], verb)}${state && `  ${state}`}`)
  }

  /** `Pod default/db-1  EVALUATE`, and a line for each detail. */
  object(name: string, { style, text, details = [] }: ObjectReport): void {
    this.#screen.line(`${name}  ${this.#screen.styled(style, text)}`)
    for (const detail of details) this.#screen.line(`  ${detail}`)
  }

  /** Shows the result of `--once`. */
  handled(count: number): void {
    this.#screen.line(this.#screen.styled('bold', `${count} of ${count} samples handled`))
  }

  /** Shows commands to try. */
  commands(commands: readonly string[]): void {
    this.#screen.line('\nTry next, in another terminal:')
    for (const command of commands) this.#screen.line(`  ${this.#screen.styled('bold', command)}`)
    this.#screen.line('Ctrl-C stops everything; on a terminal h + Enter lists the keys.\n')
  }

  /** Shows the inspector's address, if `dev` chose it. */
  inspector(url: string | undefined): void {
    if (url !== undefined) this.#note('inspect', url)
  }

  pluginStarted({ name }: FoundPlugin, pid: number): void {
    this.#log.clear()
    this.lastErrors.clear()
    this.#hasAdvisedPermissions = false
    this.#startedMs = this.#clock.now()
    this.#note(this.#program, `${name} started, process ${pid}`)
  }

  pluginCrashed(reason: string, delayMs: number): void {
    const when = delayMs === 0 ? 'now' : `in ${formatMs(delayMs)}`
    this.#note(this.#program, this.#screen.styled('red', `ended: ${reason}; restarting ${when}`))
  }

  /** Shows why sources cannot be loaded, with the lines around the mistake. */
  unloadable({ message, frame }: Failure): void {
    this.#note(this.#program, this.#screen.styled('red', `cannot be loaded: ${message}`))
    for (const line of frame?.split('\n') ?? []) this.#screen.line(`  ${line}`)
    this.#note('dev', 'waiting for the next save')
  }

  /** A program does not answer, or answers again. */
  readonly heartbeats: HeartbeatListener = {
    onBlocked: (silentMs, reason) => {
      const text = `has not answered for ${formatMs(silentMs)}: ${reason}`
      this.#note(this.#program, this.#screen.styled('red', text))
    },
    onAnswer: (silentMs) => this.#note(this.#program, `answers again, after ${formatMs(silentMs)}`),
  }

  /** Shows the stack of a failure if `verbose`; the caller reports the failure itself. */
  pluginFailed(failure: Failure | undefined): void {
    if (this.#verbose && failure?.stack) this.#screen.line(this.#screen.styled('dim', failure.stack))
  }

  sourceChanged(file: string): void {
    this.#note(this.#program, `${file} changed, restarting`)
  }

  restarting(): void {
    this.#note(this.#program, 'restarting')
  }

  /** Shows a message of `dev`. */
  readonly message = (text: string): void => {
    this.#note('dev', text)
  }

  /** Shows the first problem of the watch for changes. The other folders have the same one. */
  readonly unwatched = once(this.message)

  /** Shows a message about the vcluster process. */
  vclusterMessage(text: string): void {
    this.#note('vcluster', text)
  }

  stopping(): void {
    this.#note('dev', 'stopping')
  }

  /** Shows a line of the plugin's output. A repeated error is only counted, unless `verbose`. */
  pluginLine(line: PluginLine): void {
    const { level, text, entry, running } = line
    this.lastErrors.record(line)
    if (running) this.#ready()
    if (!this.#verbose && (level === 'debug' || level === 'info')) return
    if (level === 'plain' || !entry) this.#note(this.#program, text)
    else this.#logged(level, this.#log.lines(entry.message, entry.fields))
    if (this.#hasAdvisedPermissions || !isForbiddenLine(entry?.fields)) return
    this.#hasAdvisedPermissions = true
    this.#note('dev', permissionAdvice)
  }

  /**
   * Reports once for each process the time from its start until every controller is at work.
   */
  #ready(): void {
    if (this.#startedMs === undefined) return
    this.#note(this.#program, `ready in ${Math.round(this.#clock.now() - this.#startedMs)} ms`)
    this.#startedMs = undefined
  }

  #logged(level: string, [first, ...places]: readonly string[]): void {
    if (first === undefined) return
    const styled = level === 'error' ? this.#screen.styled('red', first) : first
    this.#note(this.#program, `${level} ${styled}`)
    for (const place of places) this.#note('', place)
  }

  /** `default/greeting -> vcluster-dev/greeting-x-default-x-dev  created  9 ms` */
  copyChanged({ resource, side, original, copy, verb, latencyMs }: CopyChange): void {
    const kind = resource.kind === 'ConfigMap' ? '' : `${resource.kind} `
    const happened = this.#screen.styled(styles[verb], describeChange(verb, side))
    const latency = latencyMs === undefined ? '' : `  ${formatMs(latencyMs)}`
    this.#screen.line(`${kind}${formatKey(original)} -> ${formatKey(copy)}  ${happened}${latency}`)
  }

  /** Interval between calls of {@link progress}, in milliseconds: shorter for a bar than for lines. */
  get progressEveryMs(): number {
    return this.#screen.showsStatus ? 500 : 5000
  }

  /** Shows the progress of the start, on a terminal as a bar; undefined ends it. */
  progress(progress: ProgressView | undefined): void {
    if (this.#screen.showsStatus) this.#screen.status(progress && barOf(progress))
    else if (progress) this.#note('start', progressText(progress))
  }

  summary({
    mirrored,
    total,
    firstMs,
  }: {
    mirrored: number
    total: number
    firstMs: number | undefined
  }): void {
    const first =
      firstMs === undefined ? '' : `; the first copy was seen ${formatMs(firstMs)} after the start`
    this.#screen.line(this.#screen.styled('bold', `${mirrored} of ${total} samples mirrored${first}`))
  }

  hints(facts: Pick<DevFacts, 'virtual' | 'host' | 'targetNamespace'>, about: HintsAbout | undefined): void {
    this.commands(hintCommands(facts, about))
  }

  #note(about: string, text: string): void {
    this.#screen.line(`${this.#screen.styled('dim', about.padEnd(8))}  ${text}`)
  }
}

/** The change as text; the host is named only for edits. */
function describeChange(verb: CopyChange['verb'], side: Side): string {
  if (verb === 'edited') return `changed ${places[side]}`
  return side === 'host' ? verb : `${verb} ${places[side]}`
}

/** The samples' kinds and names as text. */
export const sampleNames = (samples: readonly Sample[]) =>
  samples.map(({ resource, key }) => `${resource.kind} ${formatKey(key)}`).join(', ')
