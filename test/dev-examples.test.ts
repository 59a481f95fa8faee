import { join } from 'node:path'
import { filter, firstValueFrom } from 'rxjs'
import t from 'tap'
import { secrets } from '../sdk/kube/builtin.js'
import { systemClock } from '../sdk/observe/clock.js'
import { silentLogger } from '../sdk/observe/logger.js'
import { noMetrics } from '../sdk/observe/metrics.js'
import { openTransport } from '../sdk/plugin/open-transport.js'
import { loadKubeconfig } from '../sdk/transport/kubeconfig.js'
import { watchResource } from '../sdk/watch/watch-resource.js'
import { DevRun } from './dev-run.js'

// Whole programs are started here, on machines that may be busy.
t.setTimeout(180_000)

const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }

/** Resolves when the virtual cluster has a Secret of this name. */
async function secretComes(kubeconfig: string, namespace: string, name: string): Promise<void> {
  const options = { ...observed, pluginName: 'test' }
  const transport = openTransport('virtual', await loadKubeconfig({ file: kubeconfig }), options)
  const seen$ = watchResource({ ...observed, transport, resource: secrets, cluster: 'virtual', namespace })
  await firstValueFrom(
    seen$.pipe(filter((event) => 'object' in event && event.object.metadata.name === name)),
  )
  await transport.close()
}

const shown = [
  ['pull-secret-sync', 'default', 'registry'],
  ['import-secrets', 'shop', 'database-login'],
] as const

for (const [example, namespace, name] of shown) {
  void t.test(`the example ${example} shows its sample of the host in the virtual cluster`, async (t) => {
    const dir = t.testdir()
    const dev = new DevRun(['dev', `examples/${example}`, '--dir', dir, '--no-watch'])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^Try next/)
    await secretComes(join(dir, 'virtual.kubeconfig'), namespace, name)
    dev.signal('SIGTERM')
    t.match(await dev.ended, { code: 0 })
  })
}
