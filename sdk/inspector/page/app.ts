/**
 * The inspector's page: one view at a time, chosen by the part of the address after `#`, kept up to date by a live
 * stream. Whatever comes from the plugin is shown as text. It needs nothing from any other server.
 */
import type { Overview } from '../model.js'
import type { RecentRun } from '../recorder.js'
import { element } from './element.js'
import { hooksView } from './hooks-view.js'
import { pairView } from './pair-view.js'
import { pairsView } from './pairs-view.js'
import { pluginView } from './plugin-view.js'
import { hashOf, type Route, routeOf } from './route.js'
import { syncersView } from './syncers-view.js'
import type { View } from './view.js'
import { watchesView } from './watches-view.js'

const views: Readonly<Record<string, (route: Route) => View>> = {
  syncers: syncersView,
  pairs: pairsView,
  pair: pairView,
  watches: watchesView,
  hooks: hooksView,
  plugin: pluginView,
}
const listed = ['syncers', 'pairs', 'watches', 'hooks', 'plugin']

/** How long until a stream that the plugin refused is asked for again, in milliseconds. */
const againMs = 2000

class App {
  readonly #main = byId('main')
  #view: View | undefined
  #overview: Overview | undefined

  start(): void {
    addEventListener('hashchange', () => this.#open(true))
    this.#open(false)
    this.#listen()
  }

  #open(takesFocus: boolean): void {
    // The link over the header leads to the content of the view that is shown.
    if (location.hash === '#main') this.#main.focus()
    else this.#switch(routeOf(location.hash), takesFocus)
  }

  #switch(route: Route, takesFocus: boolean): void {
    const view = (Object.hasOwn(views, route.name) ? views[route.name] : undefined)?.(route) ?? syncersView()
    this.#view = view
    this.#main.replaceChildren(...view.elements)
    if (this.#overview) view.show?.(this.#overview)
    document.title = `${view.title} – Inspector`
    byId('nav').replaceChildren(...listed.map((name) => link(name, route.name)))
    if (takesFocus) view.elements[0]?.focus()
  }

  #listen(): void {
    const source = new EventSource('api/live')
    source.addEventListener('overview', ({ data }) => this.#show(JSON.parse(data)))
    source.addEventListener('runs', ({ data }) => this.#view?.ran?.(JSON.parse(data) as RecentRun[]))
    source.addEventListener('error', () => {
      say('not connected, trying again')
      // A browser tries again by itself only where the connection broke.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#listen(), againMs)
    })
  }

  #show(overview: Overview): void {
    this.#overview = overview
    say('live')
    byId('plugin').textContent = overview.plugin.name
    byId('leadership').textContent = `${overview.leadership.state},`
    this.#view?.show?.(overview)
  }
}

function link(name: string, shown: string): HTMLElement {
  const isShown = name === shown || (name === 'pairs' && shown === 'pair')
  const text = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return element('a', { href: hashOf(name), ...(isShown && { 'aria-current': 'page' }) }, [text])
}

/** Screen readers read it aloud, so it has only news. */
function say(text: string): void {
  const place = byId('live')
  if (place.textContent !== text) place.textContent = text
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no ${id}`)
  return found
}

new App().start()
