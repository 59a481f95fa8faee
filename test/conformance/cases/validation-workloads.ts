import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** Errors of workloads. */
export const refusedWorkloads: CaseGroup = {
  name: 'validation-workloads',
  cases: [
    refuses(
      'a Deployment needs a selector',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ),
    refuses(
      'the selector of a Deployment must not be empty',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: {},
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ),
    refuses(
      'the pods of a Deployment are always restarted',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
        },
      },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ),
    refuses(
      'the requirements of a selector must be valid',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: {
            matchExpressions: [
              { key: 'app', operator: 'In' },
              { key: 'app', operator: 'Exists', values: ['a'] },
              { key: 'app', operator: 'X' },
              { key: 'a b', operator: 'Exists' },
            ],
          },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "X": not a valid selector operator',
      "spec.selector.matchExpressions[3].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"In"},{"key":"app","operator":"Exists","values":["a"]},{"key":"app","operator":"X"},{"key":"a b","operator":"Exists"}]}: invalid label selector',
    ),
    refuses(
      'the numbers of a Deployment are not negative',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          replicas: -1,
          minReadySeconds: -1,
          revisionHistoryLimit: -1,
        },
      },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
    ),
    refuses(
      'a strategy must be known',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          strategy: { type: 'X' },
        },
      },
      'spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ),
    refuses(
      'a rolling update must be able to make progress',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        },
      },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ),
    refuses(
      'a limit is a number or a percentage',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          strategy: { rollingUpdate: { maxSurge: 'x', maxUnavailable: '101%' } },
        },
      },
      "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"x\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ),
    refuses(
      'the progress deadline of a Deployment exceeds its minimum ready time',
      'deployments',
      { kind: 'Deployment', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          strategy: {},
          progressDeadlineSeconds: 5,
          minReadySeconds: 5,
        },
      },
      'spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds',
    ),
    refuses(
      'the selector of a ReplicaSet must match its pods',
      'replicasets',
      { kind: 'ReplicaSet', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'b' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ),
    refuses(
      'a template is validated like a pod',
      'daemonsets',
      { kind: 'DaemonSet', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/x' }] }] },
          },
        },
      },
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ),
    refuses(
      'a DaemonSet has either surge or unavailable pods',
      'daemonsets',
      { kind: 'DaemonSet', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
        },
      },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ),
    refuses(
      'a StatefulSet needs a selector and pods',
      'statefulsets',
      { kind: 'StatefulSet', group: 'apps' },
      { spec: {} },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
      'spec.template.spec.containers: Required value',
    ),
    refuses(
      'only a StatefulSet with rolling updates has a partition',
      'statefulsets',
      { kind: 'StatefulSet', group: 'apps' },
      {
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          serviceName: 's',
          updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } },
        },
      },
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ),
  ],
}
