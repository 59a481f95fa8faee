/** samples.yaml: a Workspace, a Module of the operator's own program, and a Module of the program that it loads. */
export const samplesFile = `apiVersion: batch.forkspacer.com/v1
kind: Workspace
metadata:
  name: dev
  namespace: default
spec:
  # Its Modules sleep at night, and from Friday to Monday.
  autoHibernation:
    enabled: true
    schedule: 0 20 * * *
    wakeSchedule: 0 7 * * mon-fri
    timeZone: Europe/Berlin
---
# By the program that is part of the operator.
apiVersion: batch.forkspacer.com/v1
kind: Module
metadata:
  name: shop
  namespace: default
spec:
  workspace:
    name: dev
  config:
    appName: shop
    replicas: 2
  source:
    raw:
      kind: Web
      metadata:
        name: web
        version: 0.1.0
      config:
        - name: Name of the application
          alias: appName
          string:
            required: true
        - name: Replicas
          alias: replicas
          integer:
            default: 1
            min: 1
            max: 10
---
# By the same program as a file, from the ConfigMap that \`npm run program\` writes.
apiVersion: batch.forkspacer.com/v1
kind: Module
metadata:
  name: loaded
  namespace: default
spec:
  workspace:
    name: dev
  config:
    appName: loaded
  custom:
    program:
      configMap:
        name: web-0-1-0
        namespace: default
`
