import { type Job, jobs } from 'vcluster-plugin-sdk'
import { defineProgram, type Manager, moduleControllers } from 'vcluster-plugin-sdk/modules'
import type { Operator } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const target = (name: string) => ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name } }) as const

/** Runs a Job for each Module of the kind Import. A sleep suspends a Job that has not ended. */
const importProgram = defineProgram({
  name: 'import',
  version: '1.0.0',
  sdk: '>=0.1.0 <1',
  config: z.object({ name: z.string(), image: z.string() }),
  newManager: ({ cluster, config: { name, image } }): Manager => ({
    async install({ signal }) {
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } }
      const job: Job = { ...target(name), spec: { template } }
      await cluster.apply([job], { signal })
    },
    uninstall: ({ signal }) => cluster.delete([target(name)], { signal }),
    async sleep({ signal }, metaData) {
      metaData.set('job', await cluster.scaleDown(target(name), { signal, known: metaData.get('job') }))
    },
    async resume({ signal }, metaData) {
      await cluster.scaleUp(target(name), { signal, known: metaData.get('job') })
    },
  }),
})

export function register(operator: Operator): void {
  const permissions = [{ resource: jobs, verbs: ['get', 'create', 'patch', 'delete'] }]
  operator.register(...moduleControllers({ builtIn: { Import: importProgram }, permissions }))
}
