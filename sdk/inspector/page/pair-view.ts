import type { ControllerExplanation } from '../controller-explanation.js'
import type { Difference, EventView, Explanation, TimelineEntry } from '../explanation-view.js'
import { ask } from './api.js'
import { diffTable } from './diff-table.js'
import { type Child, element, facts, heading } from './element.js'
import { formatKey, formatMs, formatTime } from './format.js'
import { LiveTable } from './live-table.js'
import { stateLook } from './pairs-view.js'
import type { Route } from './route.js'
import type { View } from './view.js'

/** One object, its counterpart, and everything known about both. */
export function pairView({ query }: Route): View {
  const asked = {
    syncer: query.get('syncer') ?? '',
    namespace: query.get('namespace') ?? '',
    name: query.get('name') ?? '',
  }
  const page = new PairPage()
  const look = async () =>
    page.show(await ask<(Explanation | ControllerExplanation)[]>('why', asked).catch(() => []))
  void look()
  return {
    title: formatKey(asked),
    elements: [heading(formatKey(asked)), ...page.elements],
    ran: (runs) => {
      const isOurs = runs.some(
        ({ syncer, namespace, name }) =>
          syncer === asked.syncer && namespace === asked.namespace && name === asked.name,
      )
      if (isOurs) void look()
    },
  }
}

class PairPage {
  readonly #summary = element('p', { role: 'status' }, ['Asking the plugin …'])
  readonly #facts = element('div')
  readonly #reasons = element('ul')
  readonly #differences = differenceTable()
  readonly #diff = element('div')
  readonly #timeline = timelineTable()
  readonly #events = eventTable()

  get elements(): HTMLElement[] {
    return [
      this.#summary,
      this.#facts,
      section('Whose it is', [this.#reasons]),
      section('What differs', [this.#differences.element, this.#diff]),
      section('What happened', [this.#timeline.element]),
      section('Events', [this.#events.element]),
    ]
  }

  show([told]: readonly (Explanation | ControllerExplanation)[]): void {
    if (!told) {
      this.#summary.textContent = 'The plugin does not know of it.'
      return
    }
    const state = element('span', { class: stateLook(told.state) }, [told.state])
    this.#summary.replaceChildren(state, ` – ${told.summary}`)
    if ('controller' in told) this.#showControlled(told)
    else this.#showPair(told)
  }

  #showPair(told: Explanation): void {
    this.#facts.replaceChildren(pairFacts(told))
    this.#reasons.replaceChildren(...told.ownership.reasons.map((reason) => element('li', {}, [reason])))
    this.#differences.show(told.differences)
    this.#diff.replaceChildren(diffTable(told))
    this.#timeline.show([...told.timeline].reverse())
    this.#events.show([...told.events].reverse())
  }

  #showControlled({ waitsFor, timeline, events }: ControllerExplanation): void {
    this.#reasons.replaceChildren(...waitsFor.map((reason) => element('li', {}, [reason])))
    this.#timeline.show([...timeline].reverse())
    this.#events.show([...events].reverse())
  }
}

const section = (title: string, children: readonly Child[]) =>
  element('section', {}, [element('h2', {}, [title]), ...children])

function pairFacts(told: Explanation): HTMLElement {
  const { syncer, apiVersion, kind, host, failures, dueInMs, isRunning, isWaiting, ownership } = told
  const owned = ownership.owned === null ? '–' : ownership.owned ? 'yes' : 'no'
  const next = isRunning ? 'under way' : isWaiting ? 'as soon as a worker is free' : nextText(dueInMs)
  return facts([
    ['Syncer', syncer],
    ['Kind', `${apiVersion} ${kind}`],
    ['Virtual', told.hasVirtual ? formatKey(told) : 'not there'],
    ['Host', host ?? 'none'],
    ['Owned', owned],
    ['Failures', String(failures)],
    ['Next run', next],
  ])
}

const nextText = (dueInMs: number | null) => (dueInMs === null ? 'on a change' : `in ${formatMs(dueInMs)}`)

function differenceTable(): LiveTable<Difference> {
  return new LiveTable({
    caption: 'Fields of the copy that are not as wanted; status is not compared',
    keyOf: ({ path }) => path,
    empty: 'No field differs from what the syncer wants.',
    columns: [
      { title: 'Field', cell: ({ path }) => path },
      { title: 'Wanted', cell: ({ wanted }) => wanted ?? '(missing)' },
      { title: 'Found', cell: ({ found }) => found ?? '(missing)' },
    ],
  })
}

function timelineTable(): LiveTable<TimelineEntry> {
  return new LiveTable({
    caption: 'What happened lately, the latest first',
    keyOf: (entry) => JSON.stringify(entry),
    empty: 'Nothing that the inspector remembers.',
    columns: [
      { title: 'At', cell: ({ atMs }) => formatTime(atMs) },
      { title: 'Where', cell: (entry) => (entry.what === 'run' ? 'run' : entry.side) },
      {
        title: 'What',
        cell: happened,
        look: (entry) => (entry.what === 'run' ? `result-${entry.result}` : ''),
      },
      { title: 'How', cell: detail },
    ],
  })
}

function happened(entry: TimelineEntry): string {
  if (entry.what === 'run') return entry.result
  return entry.what === 'write' ? `${entry.verb} by the plugin` : entry.verb
}

function detail(entry: TimelineEntry): string {
  if (entry.what !== 'run') return entry.resourceVersion && `resourceVersion ${entry.resourceVersion}`
  const lag = entry.lagMs === undefined ? '' : `, ${formatMs(entry.lagMs)} after the change`
  const next = entry.nextInMs === undefined ? '' : `, again in ${formatMs(entry.nextInMs)}`
  return `took ${formatMs(entry.durationMs)}${lag}${next}${entry.error === undefined ? '' : `: ${entry.error}`}`
}

function eventTable(): LiveTable<EventView> {
  return new LiveTable({
    caption: 'Events of the virtual object, the latest first',
    keyOf: ({ atMs, reason, message }) => `${atMs} ${reason} ${message}`,
    empty: 'None.',
    columns: [
      { title: 'At', cell: ({ atMs }) => formatTime(atMs) },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Reason', cell: ({ reason, count }) => (count > 1 ? `${reason} (${count} times)` : reason) },
      { title: 'From', cell: ({ from }) => from },
      { title: 'Message', cell: ({ message }) => message },
    ],
  })
}
