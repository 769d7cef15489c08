import assert from 'node:assert/strict';
import { A2A_METHODS, isA2aMethod, isUnsentMethod } from './a2aMethods.ts';

describe('methods of A2A', () => {
  it('are sent in both spellings', () => {
    const methods = ['SendMessage', 'message/send', 'GetTask', 'tasks/get', 'GetExtendedAgentCard'];
    assert.ok(methods.every(isA2aMethod));
    assert.ok(!A2A_METHODS.some(isUnsentMethod));
  });

  it('are known when the router does not send them, also those of other versions', () => {
    const names = [
      ...['SendStreamingMessage', 'message/stream', 'SubscribeToTask', 'tasks/resubscribe'],
      ...['CreateTaskPushNotificationConfig', 'tasks/pushNotificationConfig/set', 'tasks/send'],
      ...['ListTaskPushNotificationConfigs', 'DeleteTaskPushNotificationConfig', 'sendMessage'],
      ...['tasks/sendSubscribe', 'SetTaskPushNotification', 'GetAgentCard', 'Message/Send'],
    ];
    assert.deepEqual(
      names.filter((name) => isA2aMethod(name) || !isUnsentMethod(name)),
      [],
    );
  });

  it('are not taken for skills that only resemble them', () => {
    const skills = [
      'translate',
      '',
      'GetWeather',
      'send-message',
      'messages/send',
      'ListTaskboards',
    ];
    assert.deepEqual(skills.filter(isUnsentMethod), []);
  });
});
