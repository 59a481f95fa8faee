import type { FileContent, HelmApi } from '../../chart/chart-content.js'
import { testFile } from './test.js'

/** The path of the definition of a kind. */
export const definitionPath = ({ plural, group }: Pick<HelmApi, 'plural' | 'group'>) =>
  `crds/${plural}.${group}.yaml`

/** The definition of a kind whose spec are the values of a chart. The chart's own schema checks them. */
export const definitionFile = ({
  group,
  version,
  kind,
  plural,
  chart,
}: HelmApi) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.${group}
spec:
  group: ${group}
  scope: Namespaced
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    singular: ${kind.toLowerCase()}
  versions:
    - name: ${version}
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Deployed
          type: string
          jsonPath: .status.conditions[?(@.type=="Deployed")].status
        - name: Failed
          type: string
          jsonPath: .status.conditions[?(@.type=="ReleaseFailed")].status
        - name: Irreconcilable
          type: string
          jsonPath: .status.conditions[?(@.type=="Irreconcilable")].status
        - name: Revision
          type: integer
          jsonPath: .status.deployedRelease.revision
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              description: The values of the chart ${chart}.
              x-kubernetes-preserve-unknown-fields: true
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true
`

/** An entry of watches.yaml. */
export const watchEntry = ({
  group,
  version,
  kind,
  plural,
  chart,
  origin,
}: HelmApi) => `${origin === undefined ? '' : `# charts/${chart} is ${origin}\n`}- group: ${group}
  version: ${version}
  kind: ${kind}
  chart: charts/${chart}
  definition: ${definitionPath({ group, plural })}
`

/** A sample of a kind. Its name is also that of its release. */
export const sampleFile = (
  { group, version, kind, chart, spec }: HelmApi,
  name = 'sample',
) => `apiVersion: ${group}/${version}
kind: ${kind}
metadata:
  name: ${name}
  namespace: default
# Values of charts/${chart}/values.yaml.
spec:${specText(spec)}
`

function specText(spec: HelmApi['spec']): string {
  const lines = Object.entries(spec).map(([name, value]) => `\n  ${name}: ${String(value)}`)
  return lines.length > 0 ? lines.join('') : ' {}'
}

/** The files of a chart, below its folder. */
const apiChartFiles = ({ chart, files }: HelmApi) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`charts/${chart}/${path}`, content]))

/** The files of a kind of its own: its chart, its definition and its test. */
export const apiFiles = (api: HelmApi): Record<string, FileContent> => ({
  [definitionPath(api)]: definitionFile(api),
  ...apiChartFiles(api),
  [`src/${api.kind.toLowerCase()}.test.ts`]: testFile(api),
})
