import { defaultRenderer, loadChart } from '../../sdk/helm/index.js'
import { median } from '../figures.js'

/** The charts that are rendered, by name, with values that they need. */
const charts: Readonly<Record<string, { folder: string; values: Readonly<Record<string, unknown>> }>> = {
  memcached: { folder: 'examples/memcached-helm/charts/memcached', values: {} },
  hooked: { folder: 'test/helm/charts/hooked', values: {} },
  umbrella: { folder: 'test/helm/charts/umbrella', values: { owner: 'team' } },
}

/** How long the rendering of one chart takes, in milliseconds. */
export interface RenderingFigures {
  readonly chart: string
  /** With the start of the renderer. */
  readonly firstMs: number
  readonly medianMs: number
}

/** Measures each chart with a renderer of its own. */
export async function measureRendering(times: number): Promise<RenderingFigures[]> {
  const figures: RenderingFigures[] = []
  for (const chart of Object.keys(charts)) figures.push(await measureChart(chart, times))
  return figures
}

async function measureChart(name: string, times: number): Promise<RenderingFigures> {
  const { folder = '', values = {} } = charts[name] ?? {}
  const chart = await loadChart(folder)
  const startedMs = performance.now()
  const renderer = await defaultRenderer([chart])
  const request = {
    chart,
    values,
    release: { name: 'bench', namespace: 'bench', revision: 1, isInstall: true },
    capabilities: { kubeVersion: 'v1.36.3', apiVersions: ['v1', 'apps/v1', 'policy/v1'] },
  }
  const render = () => renderer.render(request, AbortSignal.timeout(60_000))
  await render()
  const firstMs = performance.now() - startedMs
  const all: number[] = []
  for (let count = 0; count < times; count++) {
    const beforeMs = performance.now()
    await render()
    all.push(performance.now() - beforeMs)
  }
  await renderer.close()
  return { chart: name, firstMs, medianMs: median(all) ?? 0 }
}
