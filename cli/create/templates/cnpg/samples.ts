/** samples/: the Clusters that `npm run dev` shows to the simulated operator, by path. */
export const sampleFiles = (plugin: string): Record<string, string> => ({
  'samples/with-defaults.yaml': clusterFile(plugin, {
    about: 'A Cluster that leaves a parameter to its default.',
    name: 'with-defaults',
    parameters: { team: 'shop' },
  }),
  'samples/with-a-sidecar.yaml': clusterFile(plugin, {
    about: 'A Cluster whose Pods get a sidecar.',
    name: 'with-a-sidecar',
    parameters: { team: 'shop', tier: 'gold' },
  }),
})

interface SampleCluster {
  about: string
  name: string
  parameters: Readonly<Record<string, string>>
}

const clusterFile = (plugin: string, { about, name, parameters }: SampleCluster) => `# ${about}
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata:
  name: ${name}
spec:
  instances: 2
  storage:
    size: 1Gi
  plugins:
    - name: ${plugin}
      parameters:
${Object.entries(parameters)
  .map(([key, value]) => `        ${key}: ${value}\n`)
  .join('')}`
