/*
 * How a rent is read by others while it may end: src/PixelPool/Lifetime/LifetimeGuard.Tracking.cs, TryReadRent, against LifetimeGuard.Memory.cs, Begin, and LifetimeGuard.cs, Open and
 * TryExchange. It is a sequence lock, whose sequence is the word of the state.
 *
 * One thread rents and returns RENTS times, another one reads as often as it likes. Of what a rent holds there are two fields, so that they can fail to be of the same rent.
 *
 * What must hold: what was read belongs to one rent, all of it, if TryReadRent says so.
 *
 * Interlocked operations are full barriers, as the memory model of .NET says. END_WITHOUT_BARRIER shows that this is needed where a rent ends, too.
 *
 * holds: X64 RENTS=3 | ARM64 RENTS=3
 * fails: X64 RENTS=3 WITHOUT_SECOND_LOOK => assertion violated
 * fails: X64 RENTS=3 OPEN_BEFORE_FACTS => assertion violated
 * fails: X64 RENTS=3 END_AFTER_FACTS => assertion violated
 * fails: ARM64 RENTS=3 PLAIN_STORE_IN_OPEN => assertion violated
 * fails: ARM64 RENTS=3 END_WITHOUT_BARRIER => assertion violated
 * fails: ARM64 RENTS=3 PLAIN_FIRST_LOOK => assertion violated
 * fails: ARM64 RENTS=3 WITHOUT_BARRIER_IN_READ => assertion violated
 */
#define PROCESSORS 2
#define PLACES 3
#include "weak-memory.inc"

#define RENTER 0
#define READER 1

/* Places: _state, and of what is held the bytes and the tag. */
#define STATE 0
#define BYTES 1
#define TAG 2

/* Values of _state: the version, and whether there is a reference. Facts of the rent with version v are v + 1; 0 stands for none. */
#define RENTED(version) (2 * (version) + 1)
#define PARKED(version) (2 * (version))
#define IS_RENTED(state) ((state) % 2 == 1)

active proctype Renter()
{
	byte i, version;

	run Processor(RENTER);
	run Processor(READER);
	do
	:: version < RENTS ->
		/* Begin, and Open at its end. */
#ifdef OPEN_BEFORE_FACTS
		store(RENTER, STATE, RENTED(version), RELEASE);
#endif
		store(RENTER, BYTES, version + 1, PLAIN);
		store(RENTER, TAG, version + 1, PLAIN);
#ifdef PLAIN_STORE_IN_OPEN
		store(RENTER, STATE, RENTED(version), PLAIN);
#elif !defined(OPEN_BEFORE_FACTS)
		store(RENTER, STATE, RENTED(version), RELEASE);
#endif

		/* TryRelease: TryExchange. Then GiveBack forgets the tag. */
#ifdef END_AFTER_FACTS
		store(RENTER, TAG, 0, PLAIN);
#endif
#ifdef END_WITHOUT_BARRIER
		store(RENTER, STATE, PARKED(version + 1), RELEASE);
#else
		d_step {
			publishAll(RENTER);
			memory[STATE] = PARKED(version + 1)
		}
#endif
#ifndef END_AFTER_FACTS
		store(RENTER, TAG, 0, PLAIN);
#endif
		version++
	:: version == RENTS -> break
	od
}

/* Facts are read in any order. */
inline readFacts()
{
	if
	:: true -> load(READER, BYTES, bytes); load(READER, TAG, tag)
	:: true -> load(READER, TAG, tag); load(READER, BYTES, bytes)
	fi
}

active proctype Reader()
{
	byte i, before, after, bytes, tag;

end:
	do
	:: true ->
#ifdef PLAIN_FIRST_LOOK
		isAhead[READER] = 1;
		readFacts();
		load(READER, STATE, before);
		isAhead[READER] = 0;
#else
		load(READER, STATE, before);
#ifdef WITHOUT_BARRIER_IN_READ
		load(READER, STATE, after);
#endif
		readFacts();
#endif
#if !defined(WITHOUT_BARRIER_IN_READ) && !defined(WITHOUT_SECOND_LOOK)
		barrier(READER);
		load(READER, STATE, after);
#endif
#ifdef WITHOUT_SECOND_LOOK
		after = before;
#endif
		if
		:: IS_RENTED(before) && IS_RENTED(after) && before / 2 == after / 2 -> assert(bytes == before / 2 + 1 && tag == bytes)
		:: else
		fi;
		d_step { before = 0; after = 0; bytes = 0; tag = 0 }
	od
}
