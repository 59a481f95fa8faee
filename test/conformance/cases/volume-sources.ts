import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const container = { name: 'c', image: 'i' }
const pod = (volume: object, more: object = {}) => ({
  spec: { containers: [{ ...container, ...more }], volumes: [{ name: 'v', ...volume }] },
})
const podKind = { kind: 'Pod' }
const volumePath = 'spec.volumes[0]'
const diskKinds = 'supported values: "Dedicated", "Managed", "Shared"'

const refused = (name: string, volume: object, ...because: readonly string[]) =>
  refuses(name, 'pods', podKind, pod(volume), ...because)

/** Errors of the sources of volumes, and of containers that use them. */
export const volumeSources: CaseGroup = {
  name: 'volume-sources',
  cases: [
    refused(
      'a disk of Google without a name',
      { gcePersistentDisk: { partition: 256 } },
      `${volumePath}.persistentDisk.pdName: Required value`,
      `${volumePath}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
    ),
    refused(
      'an iSCSI disk',
      { iscsi: { iqn: 'iqn.odd', lun: 256, chapAuthSession: true, initiatorName: 'x' } },
      `${volumePath}.iscsi.targetPortal: Required value`,
      `${volumePath}.iscsi.iqn: Invalid value: "iqn.odd": must be valid format`,
      `${volumePath}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
      `${volumePath}.iscsi.secretRef: Required value`,
      `${volumePath}.iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa`,
    ),
    refused(
      'the keys of a ConfigMap as files',
      {
        configMap: {
          name: 'm',
          defaultMode: 512,
          items: [{ path: '/a' }, { key: 'k', path: '..b', mode: -1 }],
        },
      },
      `${volumePath}.configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
      `${volumePath}.configMap.items[0].key: Required value`,
      `${volumePath}.configMap.items[0].path: Invalid value: "/a": must be a relative path`,
      `${volumePath}.configMap.items[1].path: Invalid value: "..b": must not start with '..'`,
      `${volumePath}.configMap.items[1].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive`,
    ),
    refused(
      'fields of the pod as files',
      {
        downwardAPI: {
          items: [
            { path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } },
            { path: '../b', resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } },
            { path: 'c' },
          ],
        },
      },
      `${volumePath}.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
      `${volumePath}.downwardAPI.path: Invalid value: "../b": must not contain '..'`,
      `${volumePath}.downwardAPI.resourceFieldRef.containerName: Required value`,
      `${volumePath}.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      `${volumePath}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
    ),
    refused(
      'a volume that is projected from several objects',
      {
        projected: {
          sources: [
            { secret: { items: [{ key: 'k', path: 'p' }] } },
            { configMap: { name: 'm', items: [{ key: 'k', path: 'p' }] } },
            { serviceAccountToken: { expirationSeconds: 1 }, downwardAPI: {} },
            { clusterTrustBundle: { path: 'q' } },
          ],
        },
      },
      `${volumePath}.projected.sources[0].secret.name: Required value`,
      `${volumePath}.projected: Invalid value: "m": conflicting duplicate paths`,
      `${volumePath}.projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes`,
      `${volumePath}.projected.path: Required value`,
      `${volumePath}.projected.sources[2]: Forbidden: may not specify more than 1 volume type per source`,
    ),
    refused(
      'a claim that is made for the pod',
      {
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'é' } },
            spec: { resources: { requests: { storage: '0' } } },
          },
        },
      },
      `${volumePath}.ephemeral.volumeClaimTemplate.metadata.labels: Invalid value: "é": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      `${volumePath}.ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required`,
      `${volumePath}.ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero`,
    ),
    refused(
      'rarer disks',
      { azureDisk: { diskName: 'd', kind: 'Odd', cachingMode: 'Odd' }, fc: {} },
      `${volumePath}.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both`,
      `${volumePath}.azureDisk: Forbidden: may not specify more than 1 volume type`,
    ),
    refused(
      'a disk of Azure',
      { azureDisk: { diskName: 'd', kind: 'Odd', cachingMode: 'Odd' } },
      `${volumePath}.azureDisk.diskURI: Required value`,
      `${volumePath}.azureDisk.cachingMode: Unsupported value: "Odd": supported values: "None", "ReadOnly", "ReadWrite"`,
      `${volumePath}.azureDisk.kind: Unsupported value: "Odd": ${diskKinds}`,
      `${volumePath}.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"`,
    ),
    refused(
      'a directory of the node, and a negative size',
      { hostPath: { path: '/a/../b', type: 'Odd' }, emptyDir: { sizeLimit: '-1' } },
      `${volumePath}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`,
      `${volumePath}.hostPath: Forbidden: may not specify more than 1 volume type`,
    ),
    refuses(
      'mounts and devices of a container',
      'pods',
      podKind,
      pod(
        { emptyDir: {} },
        {
          volumeMounts: [
            {
              name: 'v',
              mountPath: '/a',
              subPath: '/b',
              subPathExpr: '../c',
              mountPropagation: 'Bidirectional',
            },
            { name: 'v', mountPath: '/d', recursiveReadOnly: 'Enabled' },
          ],
          volumeDevices: [{ name: 'v', devicePath: '/d/../e' }],
        },
      ),
      'spec.containers[0].volumeMounts[0].name: Invalid value: "v": must not already exist in volumeDevices',
      'spec.containers[0].volumeMounts.subPath: Invalid value: "/b": must be a relative path',
      'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "../c": subPathExpr and subPath are mutually exclusive',
      'spec.containers[0].volumeMounts.subPathExpr: Invalid value: "../c": must not contain \'..\'',
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      'spec.containers[0].volumeMounts[1].name: Invalid value: "v": must not already exist in volumeDevices',
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
      'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "/d/../e": can not contain backsteps (\'..\')',
      'spec.containers[0].volumeDevices[0].name: Invalid value: "v": must not already exist in volumeMounts',
    ),
    refuses(
      'the source of a PersistentVolume',
      'persistentvolumes',
      { kind: 'PersistentVolume', name: 'volume-sources' },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          csi: { driver: '-', nodePublishSecretRef: { name: 's' } },
        },
      },
      "spec.csi.driver: Invalid value: \"-\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.csi.volumeHandle: Required value',
      'spec.csi.nodePublishSecretRef.namespace: Required value',
    ),
    refuses(
      'mount options in an annotation',
      'persistentvolumes',
      { kind: 'PersistentVolume', name: 'volume-options' },
      {
        metadata: {
          name: 'volume-options',
          annotations: { 'volume.beta.kubernetes.io/mount-options': 'a' },
        },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          hostPath: { path: '/a' },
        },
      },
      'metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not specify mount options for this volume type',
    ),
    refuses(
      'security contexts of pods with users of their own, of Windows and with privileges',
      'pods',
      podKind,
      {
        spec: {
          hostPID: true,
          hostUsers: false,
          securityContext: {
            sysctls: [{ name: 'A' }, { name: 'a.b', value: '' }, { name: 'a.b', value: '' }],
            windowsOptions: { runAsUserName: 'a\\b\\c', gmsaCredentialSpec: '' },
          },
          containers: [
            {
              ...container,
              securityContext: {
                privileged: true,
                allowPrivilegeEscalation: false,
                windowsOptions: { hostProcess: true },
              },
            },
            { ...container, name: 'd' },
          ],
        },
      },
      'spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":null,"HostProcess":true},"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      'spec.securityContext.sysctls[0].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      'spec.securityContext.sysctls[2].name: Duplicate value: "a.b"',
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      'spec.HostPID: Forbidden: when `hostUsers` is false',
    ),
    refuses(
      'an open proc file system needs users of its own',
      'pods',
      podKind,
      { spec: { containers: [{ ...container, securityContext: { procMount: 'Unmasked' } }] } },
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ),
    refuses(
      'ranges of addresses have no bits after their length',
      'networkpolicies',
      { kind: 'NetworkPolicy', group: 'networking.k8s.io' },
      {
        spec: {
          podSelector: {},
          egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8' } }, { ipBlock: { cidr: '010.0.0.0/8' } }] }],
        },
      },
      'spec.egress[0].to[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.egress[0].to[1].ipBlock.cidr: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length',
    ),
    refuses(
      'addresses have no leading zeros',
      'services',
      { kind: 'Service' },
      { spec: { ports: [{ port: 80 }], externalIPs: ['010.1.2.3', '::ffff:1.2.3.4'] } },
      'spec.externalIPs[0]: Invalid value: "010.1.2.3": must not have leading 0s',
      'spec.externalIPs[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ),
  ],
}
