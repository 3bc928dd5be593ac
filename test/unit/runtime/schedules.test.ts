/** Days of a schedule's zone, and names of its runs. */
import { describe, expect, it } from 'vitest';
import { commandNameOf, exportNameOf, startOfDay, workflowIdOf } from '../../../src/runtime/index.ts';

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
