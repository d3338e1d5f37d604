import { approvalQuestion } from '@sandagent/core/internal'
import { answered, type Kind } from './kind.ts'

/** Every kind of approval that the form knows. */
export const APPROVAL_KINDS: Record<string, Kind> = {
  Permission: {
    questions: [
      approvalQuestion('Bash', {
        sessionScope: 'Until the session ends, without asking: allow Bash(git push *)',
      }),
    ],
    responses: { permission: { ...answered('deny'), notes: 'Not on a Friday' } },
    subject: {
      toolName: 'Bash',
      input: {
        command:
          'git add --all &&\n  git commit --message "Release" &&\n  git push origin main # \u202eyltsenoh',
        description: 'Publish the release',
        timeout: 60_000,
      },
      reasons: [
        { by: 'rule', text: 'A rule of projectSettings says to ask for "Bash(git push:*)"' },
        { by: 'agent', text: 'Publish the release' },
      ],
    },
  },
  'Permission for an edit': {
    questions: [approvalQuestion('Edit')],
    responses: { permission: answered('allow-once') },
    subject: {
      toolName: 'Edit',
      input: {
        file_path: '../shop/src/price.ts',
        old_string: 'export function price(net: number) {\n  return net * 1.19\n}',
        new_string: 'const RATE = 1.19\n\nexport function price(net: number) {\n  return net * RATE\n}',
        replace_all: false,
      },
    },
  },
  'Call to edit': {
    questions: [approvalQuestion('deploy')],
    responses: {
      permission: {
        ...answered('allow-once'),
        input: {
          target: 'staging',
          script: 'npm ci\nnpm run build\nnpm run deploy',
          retries: 3,
          force: false,
        },
      },
    },
    subject: {
      toolName: 'deploy',
      input: { target: 'production', script: 'npm ci\nnpm run deploy', retries: 3, force: true },
      editable: true,
      schema: {
        type: 'object',
        properties: {
          target: { enum: ['staging', 'production'], description: 'Where to' },
          script: { type: 'string' },
          retries: { type: 'integer', minimum: 0, maximum: 5 },
          force: { type: 'boolean' },
          hosts: { type: 'array', items: { type: 'string' } },
        },
        required: ['target', 'script', 'retries'],
      },
    },
  },
  'Permission for a plan': {
    questions: [approvalQuestion('ExitPlanMode')],
    responses: { permission: { ...answered('deny'), notes: 'Nearly.\n4: Not on a Friday' } },
    subject: {
      toolName: 'ExitPlanMode',
      input: {
        plan: '# Move the database\n\n1. Copy it with `pg_dump`, which takes an hour\n2. Switch over on **Friday**\n\n| when | who |\n|---|---|\n| 9:00 | the agent |',
        planFilePath: '/home/agent/.claude/plans/move.md',
      },
      editable: true,
    },
  },
  'Permission for more': {
    questions: [approvalQuestion('Bash')],
    responses: { permission: answered('allow-once') },
    subject: { toolName: 'Bash', input: { command: 'node build.js --watch' } },
    grants: {
      asksAgain: 'The permission for every command that starts with `node` ended 5 min ago.',
      scopes: [
        'Exactly the command `node build.js --watch`, until this run ends.',
        'Every command that starts with `node build.js`, until this run ends. `node` can run any code.',
        'Every command that starts with `node`, for 10 minutes. `node` can run any code.',
        'Every command that starts with `node`, until this run ends. `node` can run any code.',
        'Exactly the command `node build.js --watch`, in this folder, until somebody takes it back.',
      ].map((covers, index) => ({ id: `${index}`, covers })),
    },
  },
}
