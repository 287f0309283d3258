/*
 * The biased lock: src/PixelPool/Threading/BiasedLock.cs and ProcessBarrier.cs.
 *
 * Its owner goes in and out as often as it likes, and may stop at any time when it is outside. Others come as often as they like, one at a time, close the gate, look at what the lock
 * guards, change it, and open the gate. There is no bound on how often: what is guarded counts modulo 4.
 *
 * What must hold
 *   - never are the owner and somebody else inside together;
 *   - whoever is inside sees all that was done inside before, and nothing else;
 *   - nobody sleeps forever: when nothing can go on, all that came have gone (no invalid end state).
 *
 * holds: X64 | ARM64 | X64 OWN_BARRIERS | ARM64 OWN_BARRIERS
 * fails: X64 WITHOUT_BARRIER => assertion violated
 * fails: X64 BARRIER_BEFORE_CLOSE => assertion violated
 * fails: X64 LOOK_BEFORE_INSIDE => assertion violated
 * fails: X64 WITHOUT_AWAIT => assertion violated
 * fails: X64 WITHOUT_SECOND_BARRIER => invalid end state
 * fails: X64 SECOND_BARRIER_BEFORE_AWAITED => invalid end state
 * fails: X64 WITHOUT_LOOK_IN_MONITOR => invalid end state
 * fails: X64 WITHOUT_WAKE => invalid end state
 * fails: X64 OWN_BARRIERS WITHOUT_OWN_BARRIER_IN_ENTER => assertion violated
 * fails: X64 OWN_BARRIERS WITHOUT_OWN_BARRIER_IN_EXIT => invalid end state
 * fails: ARM64 PLAIN_STORE_IN_EXIT => assertion violated
 * fails: ARM64 PLAIN_LOAD_IN_ENTER => assertion violated
 * fails: ARM64 PLAIN_LOAD_IN_AWAIT => assertion violated
 * fails: ARM64 PLAIN_STORE_IN_OPEN => assertion violated
 *
 * OWN_BARRIERS is the lock where ProcessBarrier.IsSupported is false.
 */
#define PROCESSORS 3
#define PLACES 3
#include "weak-memory.inc"

/* Threads. */
#define OWNER 0

/* Places: the fields _inside and _closed, and one of what they guard. */
#define INSIDE 0
#define CLOSED 1
#define GUARDED 2

/* Values of _closed. */
#define OPEN 0
#define IS_CLOSED_NOW 1
#define IS_AWAITED 2

/* For the properties: who is inside, and what was written last by whoever was. */
bit ownerIsInside, otherIsInside;
byte written;

/* Who closes, one at a time: a lock of the caller. */
bit others;

/* The monitor on which others sleep: whether it is held, and whether its sleeper was woken. Only one sleeps, because only one comes. */
bit monitor, sleeps;

/* A thread is interrupted once, anywhere. */
bit mayInterrupt = 1;

/* Whoever leaves a lock has stored before what is stored before. That taking one is a barrier, too, is not needed. */
#define ALL_IS_SEEN(processor) (buffers[processor].count == 0)

inline leaveMonitor(processor)
{
	atomic { ALL_IS_SEEN(processor) -> monitor = 0 }
}

/* ProcessBarrier.Issue: its caller and every other thread pass a barrier. */
inline issue(processor)
{
#ifdef OWN_BARRIERS
	barrier(processor)
#else
	d_step {
		!isAhead[0] && !isAhead[1] && !isAhead[2] ->
		publishAll(0);
		publishAll(1);
		publishAll(2)
	}
#endif
}

/* What is done inside: the guarded field is read, and written. */
inline work(processor)
{
	load(processor, GUARDED, value);
	workWith(processor)
}

inline workWith(processor)
{
	assert(value == written);
	d_step {
		HAS_ROOM(processor) ->
		value = (value + 1) % 4;
		written = value;
		put(processor, GUARDED, value, PLAIN);
		value = 0
	}
}

active proctype Owner()
{
	byte i, closed, value, closedThen;
	bit isKnown;

	run Processor(0);
	run Processor(1);
	run Processor(2);
	do
	:: true ->
		/* BiasedLock.TryEnter */
#ifdef LOOK_BEFORE_INSIDE
		load(OWNER, CLOSED, closed);
#endif
		store(OWNER, INSIDE, 1, RELEASE);
#if defined(OWN_BARRIERS) && !defined(WITHOUT_OWN_BARRIER_IN_ENTER)
		barrier(OWNER);
#endif
#ifdef PLAIN_LOAD_IN_ENTER
		/* Without acquire what comes behind may be read before. */
		isAhead[OWNER] = 1;
		load(OWNER, GUARDED, value);
#endif
#ifndef LOOK_BEFORE_INSIDE
		load(OWNER, CLOSED, closed);
#endif
		isAhead[OWNER] = 0;
		if
		:: closed == OPEN ->
			ownerIsInside = 1;
			assert(!otherIsInside);
#if defined(ARM64) && !defined(OWN_BARRIERS)
			if
			:: true ->
				/* What Exit reads at the end may be read before all that is done inside. */
				isAhead[OWNER] = 1;
				load(OWNER, CLOSED, closedThen);
				isKnown = 1
			:: true
			fi;
#endif
#ifdef PLAIN_LOAD_IN_ENTER
			workWith(OWNER);
#else
			work(OWNER);
#endif
			assert(!otherIsInside);
			ownerIsInside = 0
		:: else -> value = 0
		fi;

		/* BiasedLock.Exit: also of whoever was refused. */
#ifdef PLAIN_STORE_IN_EXIT
		store(OWNER, INSIDE, 0, PLAIN);
#else
		store(OWNER, INSIDE, 0, RELEASE);
#endif
#if defined(OWN_BARRIERS) && !defined(WITHOUT_OWN_BARRIER_IN_EXIT)
		barrier(OWNER);
#endif
		if
		:: isKnown -> closed = closedThen
		:: else -> load(OWNER, CLOSED, closed)
		fi;
		d_step {
			isAhead[OWNER] = 0;
			isKnown = 0;
			closedThen = 0
		}
		if
		:: closed == IS_AWAITED ->
			/* BiasedLock.Wake: Sleepers.WakeOne. */
#ifndef WITHOUT_WAKE
			atomic { !monitor -> monitor = 1 }
			sleeps = 0;
			leaveMonitor(OWNER)
#endif
		:: else
		fi;
		closed = 0
	:: true -> break
	od
}

active [2] proctype Other()
{
	byte i, inside, value;

	do
	:: true ->
		atomic { !others -> others = 1 }

		/* BiasedLock.Close, and ProcessBarrier.Issue by the caller. */
#ifdef BARRIER_BEFORE_CLOSE
		issue(_pid);
#endif
		store(_pid, CLOSED, IS_CLOSED_NOW, RELEASE);
#if !defined(WITHOUT_BARRIER) && !defined(BARRIER_BEFORE_CLOSE)
		issue(_pid);
#endif

		/* BiasedLock.AwaitOwner: looks some times. How often makes no difference. */
#ifdef PLAIN_LOAD_IN_AWAIT
		load(_pid, GUARDED, value);
#endif
#ifndef WITHOUT_AWAIT
		do
		:: true ->
			load(_pid, INSIDE, inside);
			if
			:: inside == 0 -> break
			:: else
			fi
		:: inside != 0 ->
			/* SleepUntilLeft. */
#ifdef SECOND_BARRIER_BEFORE_AWAITED
			issue(_pid);
#endif
			store(_pid, CLOSED, IS_AWAITED, RELEASE);
#if !defined(WITHOUT_SECOND_BARRIER) && !defined(SECOND_BARRIER_BEFORE_AWAITED)
			issue(_pid);
#endif
			do
			:: true ->
				load(_pid, INSIDE, inside);
				if
				:: inside == 0 -> break
				:: else
				fi;

				/* Sleep: lock (sleepers), and Monitor.Wait while the owner is inside. */
				atomic { !monitor -> monitor = 1 }
				do
				:: true ->
#ifndef WITHOUT_LOOK_IN_MONITOR
					load(_pid, INSIDE, inside);
					if
					:: inside == 0 -> break
					:: else
					fi;
#endif
					atomic { ALL_IS_SEEN(_pid) -> sleeps = 1; monitor = 0 }
					if
					:: atomic { !sleeps && !monitor -> monitor = 1 }
#ifdef WITHOUT_LOOK_IN_MONITOR
						break
#endif
					:: atomic { mayInterrupt && !monitor -> mayInterrupt = 0; sleeps = 0; monitor = 1 }
						break
					fi
				od;
				leaveMonitor(_pid)
			od;
			store(_pid, CLOSED, IS_CLOSED_NOW, RELEASE);
			break
		od;
#endif

		/* Between AwaitOwner and Open. */
		otherIsInside = 1;
		assert(!ownerIsInside);
#ifdef PLAIN_LOAD_IN_AWAIT
		workWith(_pid);
#else
		work(_pid);
#endif
		assert(!ownerIsInside);
		otherIsInside = 0;

		/* BiasedLock.Open. Whoever closes next sees it: the lock of the caller is left behind it. */
#ifdef PLAIN_STORE_IN_OPEN
		store(_pid, CLOSED, OPEN, PLAIN);
#else
		store(_pid, CLOSED, OPEN, RELEASE);
#endif
		atomic { ALL_IS_SEEN(_pid) -> others = 0 }
		inside = 0
	:: true -> break
	od
}
