import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { operatorObjects } from '../operator/operator-objects.js'
import type { OperatorManifestOptions } from '../operator/operator-options.js'
import { wholeObject } from '../whole-object.js'
import { imageAnnotation, operatorAnnotations } from './artifact-hub.js'
import type { ChartDesign, ChartObject } from './chart-files.js'
import { imageValue, operatorValues } from './chart-values.js'
import { podTokens, podValues, variablesIn } from './pod-values.js'
import { tokens } from './tokens.js'

/**
 * The chart of an operator; `description` has a token in place of the namespace. The definitions are templates, so an
 * upgrade of the release changes them. They stay when the release is uninstalled, because Kubernetes deletes all
 * objects of a kind together with its definition.
 */
export function operatorChart(
  description: OperatorDescription,
  options: OperatorManifestOptions,
  version: string,
): ChartDesign {
  const { crd, rbac, manager, webhook, metrics, ...otherObjects } = objectsWithTokens(description, options)
  return {
    name: description.name,
    version,
    description: `The operator ${description.name}`,
    annotations: { ...imageAnnotation(description.name, options.image), ...operatorAnnotations(crd) },
    values: [
      imageValue(options.image),
      ...operatorValues(options),
      ...podValues(options.pod, variablesIn(manager)),
    ],
    templates: {
      crd: crd.map((object) => ({ object: withKeepPolicy(object) })),
      rbac: rbac.map(always),
      manager: manager.map(managerObject),
      webhook: webhook.map(always),
      metrics: metrics.map(metricsObject),
      'network-policy': otherObjects['network-policy'].map((object) => ({
        object,
        condition: '.Values.networkPolicy',
      })),
    },
  }
}

/** All objects that the chart may have, with tokens in place of what its values set. */
function objectsWithTokens(description: OperatorDescription, options: OperatorManifestOptions) {
  return operatorObjects(description, {
    ...options,
    image: tokens.image,
    // With two replicas there is a PodDisruptionBudget; its template has the condition that there are at least two.
    replicas: 2,
    priorityClass: tokens.priorityClass,
    createsNamespace: false,
    serviceMonitor: true,
    networkPolicy: true,
    pod: podTokens,
  })
}

const always = (object: KubeObject): ChartObject => ({ object })

/** Lets Helm keep the object on uninstall, see https://helm.sh/docs/howto/charts_tips_and_tricks/ */
function withKeepPolicy(object: KubeObject): KubeObject {
  const { metadata } = object
  const annotations = { ...metadata.annotations, 'helm.sh/resource-policy': 'keep' }
  return { ...object, metadata: { ...metadata, annotations } }
}

function metricsObject(object: KubeObject): ChartObject {
  return object.kind === 'ServiceMonitor' ? { object, condition: '.Values.serviceMonitor' } : { object }
}

function managerObject(object: KubeObject): ChartObject {
  return object.kind === 'Deployment'
    ? { object: withTokens(object) }
    : { object, condition: 'gt (int .Values.replicas) 1' }
}

/** The Deployment with tokens in place of numbers. */
function withTokens(deployment: KubeObject): KubeObject {
  const { spec } = deployment as KubeObject & { spec: DeploymentSpec }
  const { template } = spec
  const containers = template.spec.containers.map(({ env, resources, ...container }) => ({
    ...container,
    env: env.map((variable) =>
      typeof variable === 'object' && variable.name === 'NODE_OPTIONS'
        ? { name: variable.name, value: `--max-old-space-size=${tokens.heapMiB}` }
        : variable,
    ),
    resources: { ...resources, limits: { memory: `${tokens.memoryMiB}Mi` } },
  }))
  const pod = { ...template, spec: { ...template.spec, containers } }
  return wholeObject({ ...deployment, spec: { ...spec, replicas: tokens.replicas, template: pod } })
}

/** The parts of the Deployment of `operatorDeployment` that are values of the chart. */
interface DeploymentSpec {
  template: { spec: { containers: { env: ({ name: string } | string)[]; resources: object }[] } }
}
