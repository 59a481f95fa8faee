import { kubectl, type Story } from '../command.js'

/** Commands for a pod that runs on no node, and changes that it allows nevertheless. */
export const connecting: Story = {
  name: 'connecting',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('create -f -', {
      input:
        'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  containers:\n    - { name: c, image: i, resources: { requests: { cpu: 100m }, limits: { cpu: "1" } } }\n',
    }),
    kubectl('logs a'),
    kubectl('logs a --tail=5 --previous'),
    kubectl('logs a -c none', { code: 1 }),
    kubectl('logs nothing', { code: 1 }),
    kubectl('exec a -- ls', { code: 1 }),
    kubectl('exec a -c none -- ls', { code: 1 }),
    kubectl('port-forward pod/a 8080:80', { code: 1 }),
    kubectl('debug a --image=busybox --container=debugger --attach=false'),
    kubectl('get pod a -o jsonpath={.spec.ephemeralContainers[*].name}'),
    kubectl(
      'patch pod a --subresource=resize -p {"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"200m"}}}]}}',
    ),
    kubectl('get pod a -o jsonpath={.spec.containers[*].resources.requests.cpu}'),
    kubectl('get pods --field-selector=spec.hostNetwork=false -o name'),
    kubectl('get pods --field-selector=spec.nothing=a', { code: 1 }),
    kubectl('get deviceclasses,resourceclaims,resourceclaimtemplates,resourceslices'),
    kubectl('delete pod a --now --wait=false'),
  ],
}
