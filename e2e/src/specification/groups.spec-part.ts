import { groupMemberSchema, groupSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';
import { UNKNOWN_ID } from './field-checks.js';

/** Groups of people, and their members. */
export const groups: SpecificationPart = (fixture) => {
  const listed = async (of: Tenant) => (await of.api.get('/groups')).as(z.array(groupSchema.strict()));

  describe('groups', () => {
    it('have a name, and members that are added once', async () => {
      const team = await Tenant.create(fixture().deployment);
      const group = await team.group('Engineering');
      expect(group).toMatchObject({ name: 'Engineering', externalId: null, memberCount: 0 });
      const person = await team.invite('member');
      const path = `/groups/${group.id}/members`;
      const member = { id: person.id, name: null, email: person.email, role: 'member' };
      for (let time = 0; time < 2; time += 1)
        expect((await team.api.call('PUT', `${path}/${person.id}`)).as(groupMemberSchema.strict())).toEqual(
          member,
        );
      expect((await team.api.get(path)).as(z.array(groupMemberSchema.strict()))).toEqual([member]);
      expect(await listed(team)).toEqual([{ ...group, memberCount: 1 }]);
      expect((await team.api.delete(`${path}/${person.id}`)).as(groupMemberSchema.strict())).toEqual(member);
      (await team.api.delete(`${path}/${person.id}`)).assertError('NOT_FOUND');
      (await team.api.call('PUT', `${path}/${UNKNOWN_ID}`)).assertError('NOT_FOUND');
      (await team.api.call('PUT', `/groups/${UNKNOWN_ID}/members/${person.id}`)).assertError('NOT_FOUND');
      expect((await team.api.delete(`/groups/${group.id}`)).as(groupSchema.strict()).id).toBe(group.id);
      expect(await listed(team)).toEqual([]);
      (await team.api.get(path)).assertError('NOT_FOUND');
    });

    it('have names that differ in more than case', async () => {
      const team = await Tenant.create(fixture().deployment);
      const { id } = await team.group('Sales');
      const other = await team.group('Support');
      (await team.api.post('/groups', { name: 'SALES' })).assertError('CONFLICT');
      (await team.api.patch(`/groups/${other.id}`, { name: ' sales ' })).assertError('CONFLICT');
      expect((await team.api.patch(`/groups/${id}`, { name: 'SALES' })).as(groupSchema.strict()).name).toBe(
        'SALES',
      );
      const external = { externalId: '00g1' };
      expect((await team.api.patch(`/groups/${id}`, external)).as(groupSchema.strict())).toMatchObject(
        external,
      );
      (await team.api.post('/groups', { name: 'New', ...external })).assertError('CONFLICT');
      for (const name of ['', ' ', 'a\u0000b', 'x'.repeat(256), 1])
        (await team.api.post('/groups', { name })).assertError('INVALID_REQUEST', 'name');
    });
  });
};
