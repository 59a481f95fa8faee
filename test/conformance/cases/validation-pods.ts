import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** Errors of pods. */
export const refusedPods: CaseGroup = {
  name: 'validation-pods',
  cases: [
    refuses(
      'the ports of a container must be valid, with unique names',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              ports: [
                { containerPort: 0 },
                { containerPort: 70000, hostPort: 70000 },
                { name: 'x', containerPort: 1 },
                { name: 'x', containerPort: 2 },
                { name: 'A--B', containerPort: 1, protocol: 'X' },
              ],
            },
          ],
        },
      },
      'spec.containers[0].ports[0].containerPort: Required value',
      'spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].ports[1].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].ports[3].name: Duplicate value: "x"',
      'spec.containers[0].ports[4].name: Invalid value: "A--B": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.containers[0].ports[4].name: Invalid value: "A--B": must contain at least one letter (a-z)',
      'spec.containers[0].ports[4].name: Invalid value: "A--B": must not contain consecutive hyphens',
      'spec.containers[0].ports[4].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ),
    refuses(
      'two containers must not use the same host port',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              ports: [
                { containerPort: 1, hostPort: 5 },
                { containerPort: 2, hostPort: 5 },
              ],
            },
          ],
        },
      },
      'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//5"',
    ),
    refuses(
      'the name of a variable must consist of printable characters',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              env: [
                { name: '' },
                { name: 'A=B' },
                { name: 'ok', value: 'x' },
                { name: 'é' },
                { name: '1 2' },
              ],
            },
          ],
        },
      },
      'spec.containers[0].env[0].name: Required value',
      'spec.containers[0].env[1].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      'spec.containers[0].env[3].name: Invalid value: "é": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
    ),
    refuses(
      'a variable has one value, from one known source',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              env: [
                { name: 'a', valueFrom: {} },
                { name: 'b', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                {
                  name: 'c',
                  valueFrom: {
                    fieldRef: { fieldPath: 'metadata.name' },
                    secretKeyRef: { name: 's', key: 'k' },
                  },
                },
                { name: 'd', valueFrom: { fieldRef: { fieldPath: 'nope' } } },
                { name: 'e', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } },
                { name: 'f', valueFrom: { secretKeyRef: { name: 's' } } },
                { name: 'g', valueFrom: { configMapKeyRef: { name: 'A_', key: 'a/b' } } },
                { name: 'h', valueFrom: { resourceFieldRef: { resource: 'x' } } },
                { name: 'i', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
                { name: 'j', valueFrom: { fieldRef: { fieldPath: "metadata.labels['x']" } } },
                { name: 'k', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
              ],
            },
          ],
        },
      },
      'spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      'spec.containers[0].env[1].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      'spec.containers[0].env[2].valueFrom: Invalid value: "": may not have more than one field specified at a time',
      'spec.containers[0].env[3].valueFrom.fieldRef.fieldPath: Invalid value: "nope": error converting fieldPath: field label not supported: nope',
      'spec.containers[0].env[4].valueFrom.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
      'spec.containers[0].env[5].valueFrom.secretKeyRef.key: Required value',
      "spec.containers[0].env[6].valueFrom.configMapKeyRef.name: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.containers[0].env[6].valueFrom.configMapKeyRef.key: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      'spec.containers[0].env[7].valueFrom.resourceFieldRef.resource: Unsupported value: "x": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.containers[0].env[10].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
    ),
    refuses(
      'variables come from a ConfigMap or a Secret',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              envFrom: [
                {},
                { configMapRef: { name: 'A_' } },
                { secretRef: { name: 's' }, configMapRef: { name: 'c' } },
                { secretRef: {} },
              ],
            },
          ],
        },
      },
      'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
      "spec.containers[0].envFrom[1].configMapRef.name: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
      'spec.containers[0].envFrom[3].secretRef.name: Required value',
    ),
    refuses(
      'a mounted volume must exist',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/x' }] }],
        },
      },
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ),
    refuses(
      'two volumes must not be mounted at the same path',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              volumeMounts: [
                { name: 'v', mountPath: '/x' },
                { name: 'v', mountPath: '/x' },
                { name: '', mountPath: '' },
              ],
            },
          ],
          volumes: [{ name: 'v' }],
        },
      },
      'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
      'spec.containers[0].volumeMounts[2].name: Required value',
      'spec.containers[0].volumeMounts[2].name: Not found: ""',
      'spec.containers[0].volumeMounts[2].mountPath: Required value',
    ),
    refuses(
      'a volume needs a unique name and one source',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i' }],
          volumes: [
            { name: 'v', secret: {} },
            { name: 'v', configMap: {} },
            { name: '', emptyDir: {} },
            { name: 'A_', persistentVolumeClaim: {} },
            { name: 'ok' },
            { name: 'ok' },
            { name: 'two', emptyDir: {}, secret: { secretName: 's' } },
            { name: 'h', hostPath: {} },
            { name: 'm', secret: { secretName: 's', defaultMode: 999 } },
            { name: 'n', nfs: {} },
            { name: 'q', csi: {} },
          ],
        },
      },
      'spec.volumes[0].secret.secretName: Required value',
      'spec.volumes[1].configMap.name: Required value',
      'spec.volumes[2].name: Required value',
      'spec.volumes[3].persistentVolumeClaim.claimName: Required value',
      "spec.volumes[3].name: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.volumes[5].name: Duplicate value: "ok"',
      'spec.volumes[6].secret: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[7].hostPath.path: Required value',
      'spec.volumes[8].secret.defaultMode: Invalid value: 999: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[9].nfs.server: Required value',
      'spec.volumes[9].nfs.path: Required value',
      'spec.volumes[9].nfs.path: Invalid value: "": must be an absolute path',
      'spec.volumes[10].csi.driver: Required value',
    ),
    refuses(
      'a pull policy must be known',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', imagePullPolicy: 'X' }],
        },
      },
      'spec.containers[0].imagePullPolicy: Unsupported value: "X": supported values: "Always", "IfNotPresent", "Never"',
    ),
    refuses(
      'a request must not exceed its limit',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            { name: 'c', image: 'i', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
          ],
        },
      },
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ),
    refuses(
      'a request must not be negative',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '-1' } } }],
        },
      },
      'spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be greater than or equal to 0',
    ),
    refuses(
      "'a resource must be standard or have a domain",
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', resources: { limits: { foo: '1' } } }],
        },
      },
      'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
      'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
    ),
    refuses(
      'the success threshold of a liveness probe is 1',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'c',
              image: 'i',
              livenessProbe: { httpGet: { port: 0 }, successThreshold: 2, periodSeconds: -1 },
            },
          ],
        },
      },
      'spec.containers[0].livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    ),
    refuses(
      'a probe has one handler',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i', startupProbe: { exec: {}, grpc: { port: 1 } } }],
        },
      },
      'spec.containers[0].startupProbe.exec.command: Required value',
      'spec.containers[0].startupProbe.grpc: Forbidden: may not specify more than 1 handler type',
    ),
    refuses(
      'a lifecycle hook has a handler',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            { name: 'c', image: 'i', lifecycle: { postStart: {}, preStop: { httpGet: { port: 70000 } } } },
          ],
        },
      },
      'spec.containers[0].lifecycle.postStart: Required value: must specify a handler type',
      'spec.containers[0].lifecycle.preStop.httpGet.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ),
    refuses(
      'an init container has neither probes nor lifecycle hooks',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i' }],
          initContainers: [
            {
              name: 'd',
              image: 'i',
              livenessProbe: { exec: { command: ['x'] } },
              lifecycle: { preStop: { exec: { command: ['x'] } } },
            },
          ],
        },
      },
      'spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ),
    refuses(
      'a DNS policy must be known',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i' }],
          dnsPolicy: 'X',
        },
      },
      'spec.dnsPolicy: Unsupported value: "X": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ),
    refuses(
      'a toleration must be valid',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i' }],
          tolerations: [
            { key: 'a b' },
            { operator: 'Equal' },
            { key: 'a', tolerationSeconds: 5 },
            { key: 'a', operator: 'Exists', value: 'x' },
            { key: 'a', operator: 'X' },
            { key: 'a', value: 'a b' },
            { key: 'a', effect: 'X' },
            { key: 'a', operator: 'Lt', value: '5' },
          ],
        },
      },
      "spec.tolerations[0].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.tolerations[1].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'spec.tolerations[2].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      'spec.tolerations[3].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
      'spec.tolerations[4].operator: Unsupported value: "X": supported values: "Equal", "Exists"',
      "spec.tolerations[5].operator: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'spec.tolerations[6].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'spec.tolerations[7].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"',
    ),
    refuses(
      'a pod with scheduling gates has no node',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'c', image: 'i' }],
          nodeName: 'n',
          schedulingGates: [{ name: 'a' }],
        },
      },
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ),
    refuses(
      'several errors are reported in the order of the server',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'A_',
              imagePullPolicy: 'P',
              ports: [{ containerPort: 0 }],
              env: [{ name: '' }],
              resources: { limits: { foo: '1' } },
              volumeMounts: [{ name: 'v', mountPath: '/x' }],
              livenessProbe: {},
            },
          ],
          restartPolicy: 'X',
          dnsPolicy: 'Y',
          nodeName: 'A_',
        },
      },
      "spec.containers[0].name: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.containers[0].image: Required value',
      'spec.containers[0].ports[0].containerPort: Required value',
      'spec.containers[0].env[0].name: Required value',
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
      'spec.containers[0].imagePullPolicy: Unsupported value: "P": supported values: "Always", "IfNotPresent", "Never"',
      'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
      'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers',
      'spec.containers[0].livenessProbe: Required value: must specify a handler type',
      'spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "Y": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      "spec.nodeName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ),
  ],
}
