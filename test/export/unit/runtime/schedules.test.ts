/** Days of a schedule's zone, and names of its runs. */
import { describe, expect, it } from 'vitest';
import { checkTimes, commandNameOf } from '../../../../src/export/runtime/index.ts';
import { startOfDay } from '../../../../src/export/runtime/runs/schedules.ts';
import { exportNameOf, workflowIdOf } from '../../../../src/export/runtime/temporal/run-names.ts';

const iso = (day: string, zone: string, later = 0) => new Date(startOfDay(day, zone, later)).toISOString();

describe('the start of a day', () => {
  it('is midnight in the zone', () => {
    expect(iso('2024-01-31', 'UTC')).toBe('2024-01-31T00:00:00.000Z');
    expect(iso('2024-01-31', 'America/New_York')).toBe('2024-01-31T05:00:00.000Z');
    expect(iso('2024-01-31', 'Asia/Tokyo')).toBe('2024-01-30T15:00:00.000Z');
    expect(iso('2024-01-31', 'Asia/Kathmandu', 1)).toBe('2024-01-31T18:15:00.000Z');
  });

  it('goes by the clocks of that day, also when they change on it', () => {
    expect(iso('2024-03-10', 'America/New_York')).toBe('2024-03-10T05:00:00.000Z');
    expect(iso('2024-03-10', 'America/New_York', 1)).toBe('2024-03-11T04:00:00.000Z');
    expect(iso('2024-11-03', 'America/New_York')).toBe('2024-11-03T04:00:00.000Z');
    expect(iso('2024-11-03', 'America/New_York', 1)).toBe('2024-11-04T05:00:00.000Z');
  });

  it('is the first hour of a day that has no midnight', () => {
    expect(iso('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z');
  });

  it('is NaN for an impossible day', () => {
    expect(startOfDay('2024-02-30', 'UTC')).toBeNaN();
    expect(startOfDay('2024-13-01', 'UTC')).toBeNaN();
  });
});

describe('the name of a run', () => {
  it('is found in the id of a scheduled run', () => {
    expect(exportNameOf('export/annual-reports-2024-01-31T06:00:00Z')).toBe('annual-reports');
    expect(exportNameOf('export/annual-reports')).toBe('annual-reports');
    expect(exportNameOf('annual-2024-01-31')).toBe('annual-2024-01-31');
    expect(exportNameOf('export/annual@0123abcd-2024-01-31T06:00:00Z')).toBe('annual');
    expect(exportNameOf('export/annual@0123abcd')).toBe('annual');
    expect(workflowIdOf('annual')).toBe('export/annual');
    expect(commandNameOf('export/annual-2024-01-31T06:00:00Z')).toBe('annual');
    expect(commandNameOf('export/annual@0123abcd-2024-01-31T06:00:00Z')).toBe('export/annual@0123abcd');
  });
});

describe('the times of a schedule', () => {
  it.each([
    ['0 6 * * *', 'UTC'],
    ['30 22 * * 1-5', 'America/New_York'],
    ['*/15 0-6,22 1 JAN,feb MON-FRI', 'Asia/Kathmandu'],
    ['0 0 6 29 2 * 2028', 'UTC'],
    ['CRON_TZ=Europe/Paris 0 6 ? * 7', 'UTC'],
    ['0 6 * * * # each morning', 'UTC'],
    ['@daily', 'UTC'],
    ['@every 12h/1h', 'UTC'],
  ])('may be %s in %s', (cron, zone) => {
    expect(() => checkTimes([cron], zone)).not.toThrow();
  });

  it.each([['6 o’clock'], ['0 6 * *'], [''], ['0 6 * * * * * *'], ['0 6 * * $']])(
    'are refused before Temporal starts if they have not the shape: %s',
    (cron) => {
      expect(() => checkTimes(['@daily', cron], 'UTC')).toThrow(`'${cron}' is not a cron expression`);
    },
  );

  it('are refused with a zone that does not exist', () => {
    expect(() => checkTimes(['@daily'], 'Europe/Atlantis')).toThrow('not "Europe/Atlantis"');
  });
});
