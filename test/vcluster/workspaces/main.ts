// An operator for the tests with a real vcluster: managed Workspaces by the chart of vcluster, and a program for their
// Modules. The chart and its values are next to the program in its image, and elsewhere in a clone.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import merge from 'lodash/merge.js'
import { deployments, services } from 'vcluster-plugin-sdk'
import { loadChart } from 'vcluster-plugin-sdk/helm'
import { moduleControllers } from 'vcluster-plugin-sdk/modules'
import { createOperator } from 'vcluster-plugin-sdk/operator'
import { parse } from 'yaml'
import webProgram from '../../../examples/modules/web-program.js'

const { VCLUSTER_CHART } = process.env
const inImage = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const values = [inImage('values.yaml'), inImage('../values.yaml')].find(existsSync) ?? ''
const own = {
  // It needs an image that the node does not have.
  sync: { toHost: { pods: { rewriteHosts: { enabled: false } } } },
  controlPlane: {
    statefulSet: { persistence: { volumeClaim: { enabled: true, storageClass: 'workspaces' } } },
  },
}

const verbs = ['get', 'create', 'patch', 'delete']
const operator = createOperator({ name: 'workspaces' })
operator.register(
  ...moduleControllers({
    builtIn: { Web: webProgram },
    managed: {
      chart: await loadChart(VCLUSTER_CHART ?? inImage('chart')),
      values: merge(parse(await readFile(values, 'utf8')), own),
    },
    permissions: [deployments, services].map((resource) => ({ resource, verbs })),
  }),
)
await operator.start()
