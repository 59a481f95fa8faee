import { type Overview, type PairPage, type PairView, pairStates } from '../model.js'
import { ask } from './api.js'
import { element, heading } from './element.js'
import { formatKey, formatMs } from './format.js'
import { LiveTable } from './live-table.js'
import { hashOf, type Route } from './route.js'
import type { View } from './view.js'

const pageSize = 100

/** Every pair, to be searched. */
export function pairsView(route: Route): View {
  const search = new PairSearch(route)
  return {
    title: 'Pairs',
    elements: [heading('Pairs'), ...search.elements],
    show: (overview) => search.offerSyncers(overview),
    ran: () => void search.look(),
  }
}

class PairSearch {
  readonly #text = element('input', { type: 'search', name: 'text', autocomplete: 'off' })
  readonly #syncer = element('select', { name: 'syncer' }, [option('', 'every syncer')])
  readonly #state = element('select', { name: 'state' }, [
    option('', 'every state'),
    ...pairStates.map((state) => option(state, state)),
  ])
  readonly #counts = element('p', { class: 'soft', role: 'status' })
  readonly #more = element('button', { type: 'button' }, ['Show more'])
  readonly #table = pairTable()
  readonly #form = element('form', { role: 'search' }, [
    element('label', {}, ['Name or namespace', this.#text]),
    element('label', {}, ['Syncer', this.#syncer]),
    element('label', {}, ['State', this.#state]),
  ])
  #wantedSyncer: string
  #limit = pageSize
  #asked = 0

  constructor({ query }: Route) {
    this.#text.value = query.get('text') ?? ''
    this.#state.value = query.get('state') ?? ''
    this.#wantedSyncer = query.get('syncer') ?? ''
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    this.#form.addEventListener('input', () => this.#changed())
    this.#more.addEventListener('click', () => {
      this.#limit += pageSize
      void this.look()
    })
    void this.look()
  }

  get elements(): HTMLElement[] {
    return [this.#form, this.#counts, this.#table.element, this.#more]
  }

  offerSyncers({ syncers }: Overview): void {
    if (this.#syncer.options.length === syncers.length + 1) return
    this.#syncer.replaceChildren(option('', 'every syncer'), ...syncers.map(({ name }) => option(name, name)))
    this.#syncer.value = this.#wantedSyncer
  }

  async look(): Promise<void> {
    const asked = ++this.#asked
    const page = await ask<PairPage>('pairs', { ...this.#query(), limit: String(this.#limit) }).catch(
      () => undefined,
    )
    // A later question may have been answered earlier.
    if (asked !== this.#asked || !page) return
    this.#table.show(page.pairs)
    const counts = Object.entries(page.counts).filter(([, count]) => count > 0)
    this.#counts.textContent = `${page.matched} found; ${counts.map(([state, count]) => `${count} ${state}`).join(', ') || 'none at all'}`
    this.#more.hidden = page.matched <= page.pairs.length
  }

  #query() {
    return { text: this.#text.value, syncer: this.#wantedSyncer, state: this.#state.value }
  }

  #changed(): void {
    this.#wantedSyncer = this.#syncer.value
    this.#limit = pageSize
    // The address has the filter, and the history gets no entry for every letter.
    history.replaceState(null, '', hashOf('pairs', this.#query()))
    void this.look()
  }
}

const option = (value: string, text: string) => element('option', { value }, [text])

function pairTable(): LiveTable<PairView> {
  return new LiveTable({
    caption: 'Pairs',
    keyOf: (pair) => `${pair.syncer} ${formatKey(pair)}`,
    empty: 'No pair fits.',
    columns: [
      { title: 'State', cell: ({ state }) => state, look: ({ state }) => stateLook(state) },
      { title: 'Kind', cell: ({ kind }) => kind },
      { title: 'Virtual', cell: pairLink },
      { title: 'Host', cell: ({ host, hasHost }) => (hasHost ? (host ?? '') : '–') },
      { title: 'Failures', cell: ({ failures }) => String(failures) },
      {
        title: 'Next run',
        cell: ({ dueInMs }) => (dueInMs === null ? 'on a change' : `in ${formatMs(dueInMs)}`),
      },
    ],
  })
}

/** The classes of a state. */
export const stateLook = (state: PairView['state']) => `state state-${state.replaceAll(' ', '-')}`

function pairLink({ syncer, namespace, name }: PairView): HTMLElement {
  const key = formatKey({ namespace, name })
  return element('a', { href: hashOf('pair', { syncer, namespace, name }) }, [key])
}
