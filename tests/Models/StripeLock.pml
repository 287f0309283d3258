/*
 * The one kind of lock of the library: src/PixelPool/Threading/StripeLock.cs, with Sleepers.WakeOne. A word of three states, and a monitor for those who sleep.
 *
 * Three threads take and leave it as often as they like, and may stop when they do not have it. Each may be interrupted once while it sleeps, also in the moment in which it was woken.
 *
 * What changes the word is interlocked, so nothing is reordered here.
 *
 * What must hold
 *   - one thread at a time has the lock;
 *   - nobody sleeps forever: when nothing can go on, all have stopped (no invalid end state).
 *
 * holds: THREADS=3
 * fails: THREADS=3 TAKE_IN_TWO_STEPS => assertion violated
 * fails: THREADS=3 SLEPT_AND_TAKES_IT_AS_TAKEN => invalid end state
 * fails: THREADS=3 EXIT_IN_TWO_STEPS => invalid end state
 * fails: THREADS=3 WAKE_WITHOUT_MONITOR => invalid end state
 * fails: THREADS=3 WITHOUT_WAKE => invalid end state
 * fails: THREADS=3 INTERRUPTED_GIVES_UP => invalid end state
 */
#define FREE 0
#define TAKEN 1
#define CONTENDED 2

/* StripeLock._state */
byte word;

/* The monitor: whether it is held, and which threads sleep there. Whoever is pulsed or interrupted sleeps no more, and takes the monitor again. */
bit monitor;
byte sleepers;

/* For the property. */
byte inside;

#define ME (1 << _pid)

active [THREADS] proctype Thread()
{
	byte seen;
	bit wasInterrupted;

	do
	:: true ->
		/* Enter */
#ifdef TAKE_IN_TWO_STEPS
		seen = word;
		if
		:: seen == FREE -> word = TAKEN; goto taken
		:: else
		fi;
#else
		atomic {
			if
			:: word == FREE -> word = TAKEN; goto taken
			:: else
			fi
		}
#endif

		/* EnterContended looks some times, and takes it if it is free: that is Enter once more. */
		if
		:: true -> goto again
		:: true
		fi;

		/* Sleepers.SleepWhile: IsTaken */
sleep:
		atomic { !monitor -> monitor = 1 }
		do
		:: true ->
			atomic {
				seen = word;
#ifdef SLEPT_AND_TAKES_IT_AS_TAKEN
				word = (seen == FREE -> TAKEN : CONTENDED)
#else
				word = CONTENDED
#endif
			}
			if
			:: seen == FREE -> break
			:: else
			fi;
			atomic { monitor = 0; sleepers = sleepers | ME }
			if
			:: atomic { (sleepers & ME) == 0 && !monitor -> monitor = 1 }
			:: atomic {
					/* Monitor.Wait throws, also when it was pulsed. */
					!wasInterrupted && !monitor ->
					wasInterrupted = 1;
					sleepers = sleepers & ~ME;
					seen = 0
				}
#ifdef INTERRUPTED_GIVES_UP
				goto again
#else
				goto sleep
#endif
			fi
		od;
		monitor = 0;

taken:
		inside++;
		assert(inside == 1);
		inside--;

		/* Exit */
#ifdef EXIT_IN_TWO_STEPS
		seen = word;
		word = FREE;
#else
		atomic { seen = word; word = FREE }
#endif
		if
		:: seen == CONTENDED ->
			/* Sleepers.WakeOne */
#ifndef WITHOUT_WAKE
#ifndef WAKE_WITHOUT_MONITOR
			atomic { !monitor -> monitor = 1 }
#endif
			atomic {
				if
				:: sleepers & 1 -> sleepers = sleepers & ~1
				:: sleepers & 2 -> sleepers = sleepers & ~2
				:: sleepers & 4 -> sleepers = sleepers & ~4
				:: sleepers == 0
				fi
			}
#ifndef WAKE_WITHOUT_MONITOR
			monitor = 0
#endif
#endif
		:: else
		fi;
again:
		seen = 0
	:: true -> break
	od
}
