import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** Errors of batch. */
export const refusedBatch: CaseGroup = {
  name: 'validation-batch',
  cases: [
    refuses(
      'the pods of a Job must not always restart',
      'jobs',
      { kind: 'Job', group: 'batch' },
      {
        spec: {
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always' },
          },
        },
      },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ),
    refuses(
      'the numbers of a Job are not negative',
      'jobs',
      { kind: 'Job', group: 'batch' },
      {
        spec: {
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
          parallelism: -1,
          completions: -1,
          backoffLimit: -1,
          activeDeadlineSeconds: -1,
          ttlSecondsAfterFinished: -1,
        },
      },
      'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      'spec.completions: Invalid value: -1: must be greater than or equal to 0',
      'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
      'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
    ),
    refuses(
      'a limit per index needs indexed completion',
      'jobs',
      { kind: 'Job', group: 'batch' },
      {
        spec: {
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
          backoffLimitPerIndex: 1,
        },
      },
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    ),
    refuses(
      'the selector of a Job must match its pods',
      'jobs',
      { kind: 'Job', group: 'batch' },
      {
        spec: {
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
          manualSelector: true,
          selector: { matchLabels: { app: 'b' } },
        },
      },
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ),
    refuses(
      'the pods of an indexed Job must have valid names',
      'jobs',
      { kind: 'Job', group: 'batch', name: 'a.b' },
      {
        spec: {
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
          },
          completionMode: 'Indexed',
          completions: 3,
        },
      },
      'metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-2',
    ),
    refuses(
      'a CronJob needs a schedule',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Required value',
    ),
    refuses(
      'a schedule has five fields',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '* * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
    ),
    refuses(
      'a minute is at most 59',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '60 * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
    ),
    refuses(
      'a field of a schedule is a number or a name',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: 'a * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Invalid value: "a * * * *": failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
    ),
    refuses(
      'a schedule macro must be known',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '@x',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Invalid value: "@x": unrecognized descriptor: @x',
    ),
    refuses(
      'the time zone has its own field',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: 'TZ=UTC * * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ),
    refuses(
      'a time zone must be known',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
          timeZone: 'X/Y',
        },
      },
      'spec.timeZone: Invalid value: "X/Y": unknown time zone X/Y',
    ),
    refuses(
      'a concurrency policy must be known',
      'cronjobs',
      { kind: 'CronJob', group: 'batch' },
      {
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
          concurrencyPolicy: 'X',
        },
      },
      'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"',
    ),
    refuses(
      'the name of a CronJob leaves room for the names of its Jobs',
      'cronjobs',
      { kind: 'CronJob', group: 'batch', name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
      {
        spec: {
          schedule: '* * * * *',
          jobTemplate: {
            spec: {
              template: {
                metadata: { labels: { app: 'a' } },
                spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' },
              },
            },
          },
        },
      },
      'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
    ),
  ],
}
