/**
 * The inspector's page: one view at a time, chosen by the part of the address after `#`, kept up to date by a live
 * stream. Whatever comes from the program is shown as text. It needs nothing from any other server.
 */
import { type ComponentType, render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Overview, ProcessView } from '../model.js'
import { ActivityView } from './activity-view.js'
import { CallsView } from './calls-view.js'
import { HooksView } from './hooks-view.js'
import { listen, useLive } from './live.js'
import { ObjectView } from './object-view.js'
import { ObjectsView } from './objects-view.js'
import { OverviewView } from './overview-view.js'
import { ProgramView } from './program-view.js'
import { ReleasesView } from './releases-view.js'
import { hashOf, type Route, routeOf } from './route.js'
import { Time } from './time.js'
import { WatchesView } from './watches-view.js'

const views: Readonly<Record<string, ComponentType<{ route: Route }>>> = {
  overview: OverviewView,
  calls: CallsView,
  objects: ObjectsView,
  object: ObjectView,
  releases: ReleasesView,
  activity: ActivityView,
  watches: WatchesView,
  hooks: HooksView,
  program: ProgramView,
}

/** A CloudNativePG plugin only answers calls: it has no queue, no objects and no leader. */
const isCnpg = (overview: Overview | undefined) => overview?.plugin.mode === 'cnpg'

/** The views in the navigation, in their order. A view without content for this program is left out. */
const navigation: readonly [name: string, isShown: (overview: Overview | undefined) => boolean][] = [
  ['overview', () => true],
  ['calls', isCnpg],
  ['objects', (overview) => !isCnpg(overview)],
  ['releases', (overview) => overview?.controllers.some(({ hasReleases }) => hasReleases) ?? false],
  ['activity', (overview) => !isCnpg(overview)],
  ['watches', (overview) => !isCnpg(overview)],
  ['hooks', (overview) => overview?.plugin.mode !== 'operator' && !isCnpg(overview)],
  ['program', () => true],
]

function App() {
  const route = useRoute()
  const View = Object.hasOwn(views, route.name) ? (views[route.name] ?? OverviewView) : OverviewView
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${main.current?.querySelector('h1')?.textContent ?? ''} – Inspector`
  })
  return (
    <>
      <Header route={route} />
      <main id="main" tabIndex={-1} ref={main}>
        <ProcessNote />
        <View key={`${route.name}?${route.name === 'object' ? route.query : ''}`} route={route} />
      </main>
    </>
  )
}

/** The route of the address. A new view gets the focus at its heading. */
function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  const isFirst = useRef(true)
  useEffect(() => {
    const onHashChange = () => {
      // The link over the header leads to the content of the view that is shown.
      if (location.hash === '#main') document.getElementById('main')?.focus()
      else setRoute(routeOf(location.hash))
    }
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  useEffect(() => {
    if (!isFirst.current) document.querySelector('h1')?.focus()
    isFirst.current = false
  }, [route])
  return route
}

function Header({ route }: { route: Route }) {
  const { overview, status } = useLive()
  return (
    <header>
      <p class="brand">
        Inspector <strong id="plugin">{overview?.plugin.name}</strong>
      </p>
      <nav aria-label="Views">
        {navigation
          .filter(([, isShown]) => isShown(overview))
          .map(([name]) => (
            <a key={name} href={hashOf(name)} aria-current={isCurrent(name, route) ? 'page' : undefined}>
              {name.charAt(0).toUpperCase() + name.slice(1)}
            </a>
          ))}
      </nav>
      <p class="live">
        {!isCnpg(overview) && <span id="leadership">{overview?.leadership.state}</span>}{' '}
        <span id="live" class={`dot ${status === 'live' ? 'good' : 'warn'}`} role="status">
          {status}
        </span>
      </p>
    </header>
  )
}

/** Says that the program does not run, while the page shows the last state that it had. */
function ProcessNote() {
  const { overview } = useLive()
  const { state, text, sinceMs } = overview?.dev?.process ?? { state: 'running', text: '', sinceMs: 0 }
  return (
    <div role="status">
      {state === 'running' ? null : (
        <p class="card note">
          {processSentence(state, text)} The page shows its last state and goes on by itself.{' '}
          <Time atMs={sinceMs} />
        </p>
      )}
    </div>
  )
}

function processSentence(state: ProcessView['state'], text: string): string {
  if (state === 'ended') return `The program does not run: ${text}. The terminal of dev says why.`
  if (state === 'not answering') return `The program does not answer: ${text}. A breakpoint may hold it.`
  return `The program starts: ${text}.`
}

const isCurrent = (name: string, route: Route) =>
  name === route.name || (name === 'objects' && route.name === 'object')

listen()
const app = document.getElementById('app')
if (app) render(<App />, app)
