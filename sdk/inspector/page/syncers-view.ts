import { progressText } from '../../manager/progress-text.js'
import type { ProgressView } from '../../manager/progress-view.js'
import type { ErrorView, Overview, SyncerView } from '../model.js'
import { type Child, element, facts, heading } from './element.js'
import { formatCounts, formatKey, formatMs, formatTime } from './format.js'
import { lagChart } from './lag-chart.js'
import { LiveTable } from './live-table.js'
import { hashOf } from './route.js'
import type { View } from './view.js'

/** A card for each syncer: its load, its lag, and its errors. */
export function syncersView(): View {
  const cards = new Map<string, SyncerCard>()
  const place = element('div', { class: 'cards' })
  const start = element('p', { hidden: '' })
  const show = ({ syncers, progress, atMs }: Overview) => {
    start.hidden = progress === null
    start.replaceChildren(...(progress ? progressBar(progress) : []))
    for (const syncer of syncers) {
      const card = cards.get(syncer.name) ?? new SyncerCard(syncer)
      if (!cards.has(syncer.name)) place.append(card.element)
      cards.set(syncer.name, card)
      card.show(syncer, atMs)
    }
  }
  return { title: 'Syncers', elements: [heading('Syncers'), start, place], show }
}

/** Without a total the bar says only that something goes on. */
function progressBar(progress: ProgressView): Child[] {
  const { done, total } = progress
  const extent = total === null ? {} : { value: String(done), max: String(Math.max(1, total)) }
  return [element('progress', { 'aria-label': 'The start', ...extent }), ` ${progressText(progress)}`]
}

const directions = { virtual: 'virtual to host', host: 'host to virtual', none: 'virtual alone' } as const

class SyncerCard {
  readonly element: HTMLElement
  readonly #numbers = element('div')
  readonly #errors: LiveTable<ErrorView>

  constructor({ name, kind, apiVersion, originals }: SyncerView) {
    this.#errors = new LiveTable({
      caption: `Latest errors of ${name}`,
      keyOf: ({ message, frames = [] }) => `${message} ${frames[0] ?? ''}`,
      empty: 'No run has failed lately.',
      columns: [
        { title: 'At', cell: ({ atMs }) => formatTime(atMs) },
        { title: 'Object', cell: (error) => pairLink(error, name) },
        { title: 'Error', cell: ({ message }) => message },
        { title: 'Where', cell: whereCell },
        { title: 'Times', cell: ({ times }) => String(times) },
      ],
    })
    const pairs = element('a', { href: hashOf('pairs', { syncer: name }) }, [`Pairs of ${name}`])
    this.element = element('article', { 'data-syncer': name }, [
      element('h2', {}, [name]),
      element('p', { class: 'soft' }, [`${apiVersion} ${kind}, ${directions[originals ?? 'none']}. `, pairs]),
      this.#numbers,
      this.#errors.element,
    ])
  }

  show(syncer: SyncerView, atMs: number): void {
    const { load, objects, perSecond, lag, runs } = syncer
    const numbers = facts([
      ['Waiting', String(load.waiting)],
      ['Workers busy', `${load.running} of ${load.workers}`],
      ['Delayed', String(load.delayed)],
      ['Objects', `${objects.virtual} virtual, ${objects.host} host`],
      ['Runs a second', perSecond.toFixed(1)],
      ['Lag p50', element('span', { class: 'key-p50' }, [formatMs(lag.p50Ms)])],
      ['Lag p99', element('span', { class: 'key-p99' }, [formatMs(lag.p99Ms)])],
      ['Runs', formatCounts(runs)],
    ])
    this.#numbers.replaceChildren(numbers, lagChart(syncer, atMs))
    this.#errors.show(syncer.errors)
  }
}

/** The places in the plugin's own code, a line for each. */
function whereCell({ frames = [] }: ErrorView): Node {
  const lines = frames.map((place) => element('div', {}, [place]))
  return element('div', { class: 'soft' }, lines)
}

function pairLink(key: { namespace: string; name: string }, syncer: string): HTMLElement {
  const { namespace, name } = key
  return element('a', { href: hashOf('pair', { syncer, namespace, name }) }, [formatKey(key)])
}
